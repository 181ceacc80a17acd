import { argumentCount } from "./rules/argument_count.ts";
import { constantCase } from "./rules/constant_case.ts";
import { docstring } from "./rules/docstring.ts";
import { errorText } from "./rules/error_text.ts";
import { fileName } from "./rules/file_name.ts";
import { functionLength } from "./rules/function_length.ts";

/** The project's own rules, which `deno lint` runs on every file. */
const plugin: Deno.lint.Plugin = {
  name: "signalpost",
  rules: {
    "argument-count": argumentCount,
    "constant-case": constantCase,
    "docstring": docstring,
    "error-text": errorText,
    "file-name": fileName,
    "function-length": functionLength,
  },
};

export default plugin;

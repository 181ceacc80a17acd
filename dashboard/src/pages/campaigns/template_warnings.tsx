import { Alert, List } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import type { Campaign, TemplateSummary } from "../../api/types.ts";
import { useWholeList } from "../../api/use_api.ts";
import { isAboutUnsubscribing } from "../templates/template_checks.ts";

/** Warns about variables of a campaign's templates that are empty in every message. */
export function TemplateWarnings({ campaign }: { campaign: Campaign }) {
  const templates = useWholeList("GET /templates", {});
  const used = new Set([campaign.template, ...campaign.variants.map(({ template }) => template)]);
  return templates.filter(({ id }) => used.has(id)).map((template) => (
    <TemplateWarning key={template.id} template={template} />
  ));
}

function TemplateWarning({ template }: { template: TemplateSummary }) {
  const { name, strict, variables, warnings } = template;
  const absent = variables.filter((path) => path === "trigger" || path.startsWith("trigger."));
  const others = warnings.filter((warning) => !isAboutUnsubscribing(warning));
  if (absent.length === 0 && others.length === 0) return null;
  return (
    <Alert
      color="yellow"
      icon={<AlertIcon />}
      title={
        <>
          Check the template <bdi>{name}</bdi>
        </>
      }
    >
      <List size="sm" className="break-anywhere">
        {absent.length > 0 && (
          <List.Item>
            Empty for everybody, because a campaign has no trigger: {absent.join(", ")}.
            {strict && " The template stops a message if a variable is missing."}
          </List.Item>
        )}
        {others.map((warning) => <List.Item key={warning}>{warning}</List.Item>)}
      </List>
    </Alert>
  );
}

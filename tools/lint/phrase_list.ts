/** A phrase that plain English avoids, with a sample that breaks the rule and its plain version. */
export interface Phrase {
  name: string;
  pattern: RegExp;
  instead: string;
  bad: string;
  plain: string;
}

const timeUnits = "second|minute|hour|day|week|month|year";
const nouns =
  "batch|bulk|call|connection|customer|delivery|destination|entry|event|file|function|" +
  "id|instance|key|message|noun|page|request|route|row|source|table|test|user|workspace";
const counted = "attempts|bytes|calls|entries|events|failures|invocations|lines|messages|" +
  "requests|retries|rows|statements|tokens|transactions|writes";
const prepositions = "about|and|as|at|by|for|from|has|in|into|is|nor|of|on|or|over|per|than|that|" +
  "to|under|was|when|where|with";
const sentenceStart = String.raw`(?<=^\s*(?:-\s+)?|[.;]\s+)`;

/** Phrases that `deno task ok` refuses. A space in a pattern matches any white space. */
export const phraseList: readonly Phrase[] = [
  phrase("is no + noun", "is not a, is not", {
    pattern: "(?<!\\bthere (?:\\w+ )?)\\b(?:is|are|was|were|be) no " +
      "(?!(?:longer|more|less|fewer|older|newer|larger|smaller|greater|better|worse|higher|lower|one)\\b)" +
      "[a-z]",
    bad: "The body is no JSON",
    plain: "The body is not valid JSON. There is no route. It is no longer valid.",
  }),
  phrase("is none", "is not one", {
    pattern: "(?<!\\bthere (?:\\w+ )?)\\b(?:is|are|was|were) none\\b",
    bad: "An anonymous id is none of them",
    plain: "An anonymous id is not one of them. There are none.",
  }),
  phrase("go on", "continue, move on", {
    pattern: '(?<!354 )\\b(?:go(?:es)?|went) on(?=[\\s.,;:)"`|])',
    bad: "The run goes on.",
    plain: "The run continues. The response goes only to its caller.",
  }),
  phrase("whatever", "any, even if, even after", {
    pattern: "\\bwhatever\\b",
    bad: "A step is done once, whatever crashes",
    plain: "A step is done once, even after a crash.",
  }),
  phrase("mend", "fix", {
    pattern: "\\bmend(?:s|ed|ing)?\\b",
    bad: "Mend the mapping",
    plain: "Fix the mapping. We recommend it. Amend it.",
  }),
  phrase("whoever", "anyone who, the caller that", {
    pattern: "\\bwho(?:so|m)?ever\\b",
    bad: "For whoever asks",
    plain: "For anyone who asks",
  }),
  phrase("who as a subject", "a user who, callers that", {
    pattern: `${sentenceStart}(?-i:Who) [^.?!:;|]*\\.(?=\\s|$)|\\b(?:by|to|from|than) who\\b`,
    bad: "Who is alone has nobody to blame.",
    plain: "A single request cannot be split. Who may invite?",
  }),
  phrase("What … is", "begin with the subject", {
    pattern: `${sentenceStart}(?-i:What) [^.?!:;|]*\\.(?=\\s|$)`,
    bad: "What was waiting stays.",
    plain: "Waiting messages stay. What if it fails? What it needs: a key.",
  }),
  phrase("Of a …", "begin with the subject", {
    pattern: `${sentenceStart}(?-i:Of) (?!course\\b|these\\b|those\\b|the \\d)[a-z]`,
    bad: "Of a transaction that fails nothing stays.",
    plain: "A failed transaction leaves nothing. Of course.",
  }),
  phrase("tells of", "describes, reports", {
    pattern: "\\b(?:tell|tells|told|telling) of\\b",
    bad: "The page tells of every scheme",
    plain: "The page describes every scheme",
  }),
  phrase("says of", "says that", {
    pattern: "\\b(?:say|says|said|saying) (?:nothing )?of\\b",
    bad: "What is said of the entry",
    plain: "A message about the entry",
  }),
  phrase("is told", "is reported, receives", {
    pattern: "\\b(?:is|are|was|were|be|been|being) told\\b",
    bad: "A failure is told",
    plain: "A failure is reported",
  }),
  phrase("tells which", "shows which, says which", {
    pattern: "\\btells? (?:which|what|when|where|why|how|whether|that)\\b",
    bad: "The view tells which are missing",
    plain: "The view shows which are missing. It tells you which are missing.",
  }),
  phrase("in place of", "instead of", {
    pattern: "\\bin place of\\b",
    bad: "null in place of the object",
    plain: "null instead of the object. It is in place.",
  }),
  phrase("as far as", "if, where, up to", {
    pattern: "\\b(?:as|so|in so) far as\\b|\\binsofar\\b",
    bad: "as far as its messages are kept",
    plain: "if its messages are still kept",
  }),
  phrase("by itself", "automatically, alone", {
    pattern: "\\bby (?:itself|themselves)\\b",
    bad: "It is renewed by itself",
    plain: "It is renewed automatically",
  }),
  phrase("for good", "permanently", {
    pattern: "\\bfor good(?=\\s*(?:[.,;:)]|$)|\\s(?:and|but|if|in|or|when|with)\\b)",
    bad: "It is deleted for good.",
    plain: "It is deleted permanently, for good reasons.",
  }),
  phrase("anew", "again", {
    pattern: "\\banew\\b",
    bad: "Start anew",
    plain: "Start again",
  }),
  phrase("comes to be", "is created", {
    pattern: "\\b(?:come|comes|came|coming) to be\\b",
    bad: "A customer comes to be",
    plain: "A customer is created",
  }),
  phrase("a second, a day", "per second, per day", {
    pattern: `\\b(?:(?:${counted})|(?:\\d[\\d,.]*|one|two|ten) [a-z]*s) an? (?:${timeUnits})` +
      "(?=\\s*(?:[.,;:)|%]|$(?!\\s*\\w))| (?:and|at|but|for|from|if|in|on|or|over|than|to|when|while|with)\\b)",
    bad: "100 requests a second, 500 bytes a day",
    plain:
      "100 requests per second. It calls a second dispatcher, and it calls a second\ndispatcher.",
  }),
  phrase("a customer, an entry", "per customer, per entry", {
    pattern: `\\bone(?: (?!(?:${prepositions}|[a-z]*[^s]s)\\b)[a-z]+)? an? (?:${nouns})\\b|` +
      `\\bonce an? (?:${nouns})\\b(?! (?:is|was|has|have|becomes|[a-z]+s)\\b)|` +
      `\\b\\d[\\d,.]* (?:ms|s|bytes|KiB|MiB|GiB|MB|keys|tokens) an? (?:${nouns})\\b|` +
      `\\ban? (?:file|policy|row|test|token|verb) an? (?:${nouns})\\b`,
    bad: "one history a customer",
    plain: "one history per customer, one id of a customer. One finds a row once a batch is full.",
  }),
  phrase("all that is", "everything that is", {
    pattern: "\\ball that (?:is|are|was|were|has|have|had)\\b",
    bad: "All that is known is an id",
    plain: "Only the id is known. All events that are stored.",
  }),
  phrase("that which", "the one that", {
    pattern: "\\bthat which\\b",
    bad: "that which was sent",
    plain: "the one that was sent",
  }),
  phrase("this very", "this, the same", {
    pattern: "\\b(?:this|these|those|the) very\\b",
    bad: "a cursor of this very list",
    plain: "a cursor returned by this list",
  }),
  phrase("for want of", "because … is missing", {
    pattern: "\\bfor want of\\b",
    bad: "left out for want of a browser",
    plain: "skipped because there is no browser",
  }),
  phrase("for ever", "forever", {
    pattern: "\\bfor ever\\b",
    bad: "cached for ever",
    plain: "cached forever, for every page",
  }),
  phrase("by chance", "at random", {
    pattern: "\\bby chance\\b",
    bad: "Chosen by chance",
    plain: "Chosen at random",
  }),
  phrase("in vain", "without success", {
    pattern: "\\bin vain\\b",
    bad: "tried in vain",
    plain: "tried without success",
  }),
  phrase("one's own", "your own, its own", {
    pattern: "\\bone's own\\b",
    bad: "mappings of one's own",
    plain: "your own mappings",
  }),
  phrase("is looked at", "is checked, is ignored", {
    pattern: "\\b(?:is|are|was|were|be) (?:not |never )?looked at\\b",
    bad: "The rest is not looked at",
    plain: "The rest is ignored",
  }),
  phrase("is gone on with", "continues", {
    pattern: "\\b(?:is|are|was|were|be) (?:not )?gone on\\b",
    bad: "is not gone on with",
    plain: "is refused",
  }),
  phrase("is to be had", "is available", {
    pattern: "\\bto be had\\b",
    bad: "No connection is to be had",
    plain: "No connection is available",
  }),
  phrase("deed", "action", {
    pattern: "\\bdeeds?\\b",
    bad: "Before the deed",
    plain: "Before the action, indeed",
  }),
  phrase("archaic word", "the common word", {
    pattern: "\\b(?:hasten|hastens|whence|thence|thereof|therein|thereupon|wherein|whereupon|" +
      "hitherto|henceforth|forthwith|lest|shall|unasked|heed|naught|withal)\\b",
    bad: "It never hastens one",
    plain: "It never makes one earlier",
  }),
  phrase("must be a text", "must be a string", {
    pattern: "\\bbe (?:a text|texts)\\b",
    bad: "must be a text",
    plain: "must be a string",
  }),
  phrase("names have no case", "upper and lower case make no difference", {
    pattern: "\\bhave no case\\b",
    bad: "Names of headers have no case",
    plain: "Upper and lower case make no difference",
  }),
  phrase("docstring that opens with a question word", "open with a verb or a noun", {
    pattern: "/\\*\\*\\s+(?:What|Whether|Who|Whom|Whose|Where|Which|How|Why)\\b|" +
      "\\bis\\s+'(?:What|Whether|Who|Whom|Whose|Where|Which|How|Why)\\b",
    bad: "/** What a caller gets. */",
    plain: "/** Rate-limit state returned to callers. */",
  }),
];

function phrase(
  name: string,
  instead: string,
  { pattern, bad, plain }: { pattern: string; bad: string; plain: string },
): Phrase {
  return { name, instead, bad, plain, pattern: new RegExp(pattern.replaceAll(" ", "\\s+"), "gim") };
}

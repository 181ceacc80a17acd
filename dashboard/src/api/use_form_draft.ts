import { useEffect, useRef, useState } from "react";
import { isConflict } from "./api_client.ts";
import { isSame } from "./is_same.ts";
import { type FieldConflict, mergeChanges } from "./merge_changes.ts";
import { type Draft, type StoredDraft, useShownDraft, useStoredDraft } from "./use_draft.ts";

/** Fields of a resource, as the api returned them. */
export type Fields = Readonly<Record<string, unknown>>;

interface DraftForm<Values> {
  values: Values;
  getValues: () => Values;
  getInitialValues: () => Values;
  setInitialValues: (values: Values) => void;
  setValues: (values: Partial<Values>) => void;
  reset: () => void;
}

/** The state that a form was filled from. */
export interface Base<Values> {
  values: Values;
  /** Fields of the resource that the form changes; undefined for a new resource. */
  expected?: Fields | undefined;
}

interface FormDraftOptions<Values> {
  /** Tells the drafts of a workspace apart. */
  name: string;
  /** Paths of fields that are never stored, such as `config.password`. */
  secrets: readonly string[];
  /** The state that is saved now. */
  saved: Base<Values>;
}

/** Changes of others to fields that were changed here as well. */
export interface FormConflict {
  fields: FieldConflict[];
  /** True once the api has refused the own changes for it. */
  isInTheWay: boolean;
  /** Keeps the own changes of these fields, and takes all others as they are saved now. */
  keepMine: () => void;
}

/** The draft of a form, which is clean while it is sent and after it was saved. */
export interface FormDraft<Values> extends Draft {
  conflict: FormConflict | undefined;
  /** Returns the state that the draft was made from. */
  base: () => Base<Values>;
  /** Takes the values as sent. */
  hold: () => void;
  /** Takes the values as not saved again, because the api has refused them. */
  release: (error: unknown) => void;
  /** Takes the sent values as saved, with the fields that the resource now has for them. */
  settle: (changed: Fields) => void;
}

/** A draft in the storage of the tab. */
interface Stored<Values> {
  values: Partial<Values>;
  base: Base<Values>;
}

/**
 * Keeps what is typed into a form when the page is reloaded, or the session ends. Fields that were
 * not changed here follow the changes of others.
 */
export function useFormDraft<Values extends object>(
  form: DraftForm<Values>,
  { name, secrets, saved }: FormDraftOptions<Values>,
): FormDraft<Values> {
  const stored = useStoredDraft<Stored<Values>>(name);
  const [isRestored, setRestored] = useState(() => stored.read() !== undefined);
  const sent = useRef<Values>(undefined);
  const { base, isNews, ...bases } = useBase(saved);
  const [isInTheWay, setInTheWay] = useState(false);
  const isDirty = () => {
    const values = form.getValues();
    return values !== sent.current && !isSame(values, form.getInitialValues());
  };
  const fill = (from: Base<Values>, values: Values) => {
    bases.take(from);
    setInTheWay(false);
    form.setInitialValues(from.values);
    form.setValues(values);
  };
  const keep = useStorage(stored, form, {
    restore: ({ base, values }) => fill(base, { ...base.values, ...values }),
    draft: () => isDirty() ? { values: withoutSecrets(form, secrets), base: base() } : undefined,
  });
  const isSending = sent.current !== undefined && sent.current === form.getValues();
  const news = isNews && !isSending
    ? mergeChanges(form.getValues(), { before: base().values, theirs: saved.values })
    : undefined;
  useEffect(() => {
    if (news?.conflicts.length === 0) fill(saved, news.merged);
  });
  const forget = () => {
    stored.remove();
    setRestored(false);
  };
  const draft: FormDraft<Values> = {
    isDirty,
    keep,
    isRestored: isRestored && isDirty(),
    conflict: news && news.conflicts.length > 0
      ? { fields: news.conflicts, isInTheWay, keepMine: () => fill(saved, news.merged) }
      : undefined,
    base,
    discard: () => {
      forget();
      if (news) fill(saved, saved.values);
      else form.reset();
    },
    hold: () => {
      sent.current = form.getValues();
    },
    release: (error) => {
      sent.current = undefined;
      setInTheWay(isConflict(error));
      bases.trustPage();
    },
    settle: (changed) => {
      forget();
      const { expected } = base();
      if (expected === undefined || sent.current === undefined) return;
      bases.takeSaved({ values: sent.current, expected: { ...expected, ...changed } });
      form.setInitialValues(sent.current);
      sent.current = undefined;
    },
    forget,
  };
  useShownDraft(draft);
  return draft;
}

interface StorageOptions<Values> {
  restore: (found: Stored<Values>) => void;
  /** Returns what is to be stored; undefined for nothing. */
  draft: () => Stored<Values> | undefined;
}

/**
 * Restores a stored draft at first, then stores each change once it is shown. Returns a function
 * that stores the last change now, and returns whether everything is stored: secrets are not.
 */
function useStorage<Values>(
  stored: StoredDraft<Stored<Values>>,
  form: DraftForm<Values>,
  { restore, draft }: StorageOptions<Values>,
): () => boolean {
  const isFirst = useRef(true);
  const store = () => {
    const changed = draft();
    if (changed === undefined) stored.remove();
    else stored.write(changed);
  };
  useEffect(() => {
    const found = isFirst.current ? stored.read() : undefined;
    if (found !== undefined) restore(found);
    else if (!isFirst.current) store();
    isFirst.current = false;
  }, [form.values]);
  return () => {
    store();
    return isSame(stored.read()?.values, form.getValues());
  };
}

/** The state that a form was filled from, and whether another one is saved now. */
function useBase<Values>(saved: Base<Values>) {
  const latest = useRef(saved);
  latest.current = saved;
  const base = useRef(saved);
  /** Fields that are older than the base: the page shows them until it has read its own change. */
  const outdated = useRef<Fields>(undefined);
  return {
    base: () => base.current,
    isNews: !isSame(saved.expected, base.current.expected) &&
      !isSame(saved.expected, outdated.current),
    take: (from: Base<Values>) => {
      base.current = from;
      outdated.current = undefined;
    },
    takeSaved: (from: Base<Values>) => {
      base.current = from;
      outdated.current = latest.current.expected;
    },
    trustPage: () => {
      outdated.current = undefined;
    },
  };
}

/** Returns the values of a form, with the initial ones at the paths of secrets. */
function withoutSecrets<Values extends object>(
  { getValues, getInitialValues }: DraftForm<Values>,
  paths: readonly string[],
): Values {
  const copy = JSON.parse(JSON.stringify(getValues()));
  for (const path of paths) {
    const names = path.split(".");
    const last = names.pop()!;
    // deno-lint-ignore no-explicit-any
    const at = (root: any) => names.reduce((part, each) => part?.[each], root);
    const place = at(copy);
    if (place) place[last] = at(getInitialValues())?.[last];
  }
  return copy;
}

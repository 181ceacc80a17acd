import { useEffect } from "react";
import { useWholeList } from "../../api/use_api.ts";

interface SenderForm<Values extends { sender: string }> {
  values: Values;
  getValues: () => Values;
  getInitialValues: () => Values;
  setInitialValues: (values: Values) => void;
  setValues: (values: Values) => void;
}

/** Chooses the sender of a form that has none while the workspace has only one to choose. */
export function useOnlySender<Values extends { sender: string }>(form: SenderForm<Values>): void {
  const senders = useWholeList("GET /senders", {});
  const only = senders.length === 1 ? senders[0]!.id : undefined;
  useEffect(() => {
    if (only === undefined || form.getValues().sender !== "") return;
    // The choice is nobody's input: a form in which nothing else was chosen has no draft.
    form.setInitialValues({ ...form.getInitialValues(), sender: only });
    form.setValues({ ...form.getValues(), sender: only });
  }, [only, form.values.sender]);
}

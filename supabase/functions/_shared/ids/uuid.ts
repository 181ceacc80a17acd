/** Form of a UUID in lower case. */
export const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Form of a UUID in either case. */
export const anyCaseUuidForm = new RegExp(uuidForm, "i");

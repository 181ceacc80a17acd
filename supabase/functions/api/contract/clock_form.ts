/** Form of a time of day, such as "21:00". */
export const clockForm = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

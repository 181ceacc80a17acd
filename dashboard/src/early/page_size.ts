/** Rows of a list that are read at once. More than a screen: the next load before its end shows. */
export const pageSize = 25;

/** Backups that a home keeps when nobody asks for another number. */
export const KEPT_BACKUPS = 3;

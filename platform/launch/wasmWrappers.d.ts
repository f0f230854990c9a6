export const GENERAL_WRAPPERS: string;
export function keepGeneralWrappers(): void;

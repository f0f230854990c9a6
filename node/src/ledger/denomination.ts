/** The base denomination (design.md §1, Identity). 1 token = 10^6 units of it. */
export const BASE_DENOMINATION = 'usei';

/** 1 unit of the base denomination in wei (json-rpc.md §6.3). */
export const WEI_PER_UNIT = 10n ** 12n;

/** The base denomination (spec L-1, Identity). 1 token = 10^6 units of it. */
export const BASE_DENOMINATION = 'usei';

/** 1 unit of the base denomination in wei (spec L-5). */
export const WEI_PER_UNIT = 10n ** 12n;

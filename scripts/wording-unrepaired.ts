/** Faults of wording left in files and folders that are not repaired yet. The numbers may only fall. */
export const unrepaired: Readonly<Record<string, number>> = {}

/** Kinds of things that are counted for an organization. */
export const amountNames = ['people', 'devices', 'organizations', 'keys'] as const
export type Amounts = Record<(typeof amountNames)[number], number>

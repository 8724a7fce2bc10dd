/** What is counted of an organization until licences count more. */
export const amountNames = ['people', 'devices', 'organizations', 'keys'] as const
export type Amounts = Record<(typeof amountNames)[number], number>

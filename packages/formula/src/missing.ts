/** Policies for an input without a value at a time. */
export const fillPolicies = [
  'LINEAR_INTERPOLATION',
  'EXTEND_LAST_VALUE',
  'NEXT_VALUE',
  'CURRENT_VALUE',
  'USE_NULL',
  'USE_ZERO',
] as const
/** Policies for an input before its first value and after its last. */
export const paddingPolicies = [
  'SEARCH',
  'NULL',
  'ZERO',
  'SEARCH_OR_ZERO',
  'SEARCH_OR_NULL',
] as const

/** Substitutes for missing values: between the values of a source, and before and after them. */
export type Missing = {
  fill: (typeof fillPolicies)[number]
  padding: (typeof paddingPolicies)[number]
}
export const usualMissing: Missing = { fill: 'EXTEND_LAST_VALUE', padding: 'SEARCH_OR_NULL' }

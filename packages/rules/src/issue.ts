/** Codes of faults in a rule; the portal translates them with the parameters of the issue. */
export const ruleIssueCodes = [
  'missing',
  'wrong_type',
  'invalid',
  'too_small',
  'too_large',
  'too_short',
  'too_long',
  'too_few',
  'too_many',
  'not_one_of',
  'unknown_field',
  'too_deep',
  'too_many_leaves',
  'unknown_path',
  'unknown_path_similar',
  'unknown_model',
  'ambiguous_model',
  'formula',
  'formula_window',
  'path_or_formula',
  'value_or_path',
  'value_type',
  'value_not_used',
  'band_order',
  'clear_not_used',
  'clear_wrong_side',
  'level_value_missing',
  'level_values_not_used',
  'level_many_leaves',
  'levels_severity_order',
  'levels_value_order',
  'unless_empty',
  'unless_cycle',
  'unless_unknown_rule',
  'schedule_no_day',
  'schedule_empty_window',
  'unknown_zone',
  'unknown_placeholder',
  'unknown_placeholder_similar',
  'unclosed_placeholder',
  'items_differ',
] as const
export type RuleIssueCode = (typeof ruleIssueCodes)[number]

/**
 * Fault at a field of a rule, as `when.all.0.path`; `nearest` is the path that is probably meant, `choices`
 * the models of which one may be meant.
 */
export type RuleIssue = {
  place: string
  code: RuleIssueCode
  params: Readonly<Record<string, string | number>>
  nearest?: string
  choices?: { modelId: string; organization: string }[]
}

/** Issue without a nearest path. */
export const issueAt = (
  place: string,
  code: RuleIssueCode,
  params: RuleIssue['params'] = {},
): RuleIssue => ({ place, code, params })

import type { RuleIssueCode } from '@longreach/rules/issue'

type Params = Readonly<Record<string, string | number>>

/** Texts by code, with the parameters of the fault in braces. */
const texts: Partial<Record<RuleIssueCode, string>> = {
  missing: 'is missing',
  wrong_type: 'must be of type {expected}',
  not_one_of: 'must be one of {options}',
  too_small: 'must be {least} or more',
  too_large: 'must be {most} or less',
  too_few: 'must have {least} or more entries',
  too_many: 'must have {most} entries or fewer',
  too_short: 'must have {least} or more characters',
  too_long: 'must have {most} characters or fewer',
  too_deep: 'groups may lie {most} deep; put its conditions one level higher',
  too_many_leaves: 'a policy may have {most} parts; leave some out',
  band_order: 'must not be less than min',
}

/** Words for a fault of a policy, which say what its field must be (English); the portal has words of its own. */
export const wayOutOf = (code: RuleIssueCode, params: Params) =>
  (texts[code] ?? 'is not valid').replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(params[name] ?? ''),
  )

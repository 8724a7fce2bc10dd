import type { RuleIssueCode } from '@longreach/rules/issue'

type Params = Readonly<Record<string, string | number>>

/** Words for a fault of a policy, which say what its field must be (English); the portal has words of its own. */
export function wayOutOf(code: RuleIssueCode, { expected, options, least, most }: Params) {
  switch (code) {
    case 'missing':
      return 'is missing'
    case 'wrong_type':
      return `must be of type ${expected ?? 'another one'}`
    case 'not_one_of':
      return `must be one of ${options ?? ''}`
    case 'too_small':
      return `must be ${least ?? ''} or more`
    case 'too_large':
      return `must be ${most ?? ''} or less`
    case 'too_few':
      return `must have ${least ?? ''} or more entries`
    case 'too_many':
      return `must have ${most ?? ''} entries or fewer`
    case 'too_short':
      return `must have ${least ?? ''} or more characters`
    case 'too_long':
      return `must have ${most ?? ''} characters or fewer`
    case 'too_deep':
      return `groups may lie ${most ?? ''} deep; put its conditions one level higher`
    case 'too_many_leaves':
      return `a policy may have ${most ?? ''} parts; leave some out`
    case 'band_order':
      return 'must not be less than min'
    default:
      return 'is not valid'
  }
}

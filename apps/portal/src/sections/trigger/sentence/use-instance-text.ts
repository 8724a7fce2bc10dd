import type { Policy } from '@longreach/rules/policy'
import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { isPolicyGroup, partAt, pathOfPart } from '../editor/policy-tree.ts'
import { matcherText } from './matcher-text.ts'
import { policyTokens, textOfTokens } from './sentence-tokens.ts'
import { useSaying } from './use-sentence.ts'

/**
 * Text of what fired: a path, or a part of the policy by its uuid or index, in words. A whole group is said by the
 * words of the group.
 */
export function useInstanceText(policy: Policy) {
  const t = useWords()
  const saying = useSaying()
  return useCallback(
    (instance: string) => {
      const words = (part: Policy) => textOfTokens(policyTokens(part, saying))
      const [name = '', ...rest] = instance.split('/')
      const path = pathOfPart(policy, name) ?? indexPath(policy, name)
      const part = path && partAt(policy, path)
      if (part === undefined) return instance === '' ? words(policy) : matcherText(instance, t)
      const below = rest.join('/')
      return below === '' || isPolicyGroup(part) ? words(part) : matcherText(below, t)
    },
    [policy, saying, t],
  )
}

/** Path to the part of a group with this index, as parts without a uuid are named. */
const indexPath = (policy: Policy, name: string) =>
  isPolicyGroup(policy) && /^\d+$/.test(name) ? [Number(name)] : undefined

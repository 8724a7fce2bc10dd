import { late } from '@longreach/ui/late'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { Suspense } from 'react'
import { needWords } from '../words/spoken-words.ts'

const Trail = late(async () => {
  const [{ AuditTrail }] = await Promise.all([import('./AuditTrail.tsx'), needWords('log')])
  return { default: AuditTrail }
})

type Props = {
  /** Resource type, as in permissions: `devices`, `users` … */
  resource: string
  id: string | number
  /** resourceId of its organization, when that is not the session's or below. */
  organization?: string
}

/** Audit entries of one resource, for a tab of its page; show it to holders of `audit:access` only. */
export const AuditTab = (props: Props) => (
  <Suspense fallback={<RowsSkeleton rows={8} />}>
    <Trail {...props} />
  </Suspense>
)

import { late } from '@longreach/ui/late'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { withWords } from '../words/spoken-words.ts'

const Trail = late(
  () => withWords(import('./AuditTrail.tsx'), 'log'),
  'AuditTrail',
  <RowsSkeleton rows={8} />,
)

type Props = {
  /** Resource type, as in permissions: `devices`, `users` … */
  resource: string
  id: string | number
  /** resourceId of its organization, when that is not the session's or below. */
  organization?: string
}

/** Audit entries of one resource, for a tab of its page; show it to holders of `audit:access` only. */
export const AuditTab = (props: Props) => <Trail {...props} />

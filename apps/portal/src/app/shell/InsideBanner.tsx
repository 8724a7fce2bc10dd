import { hasCapability } from '@longreach/authorization/product-capabilities'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'
import classes from './ActingAsBanner.module.css'

/** Says that one works in an organization below one's own, by rights from there, and leads back. */
export function InsideBanner() {
  const t = useWords()
  const { organization, enter } = useSession()
  const own = useQuery({ ...query(api.core.mine, {}), staleTime: 300_000 }).data
  const from = own
    ?.filter(({ resourceId }) => `${organization.resourceId}.`.startsWith(`${resourceId}.`))
    .toSorted((a, b) => b.resourceId.length - a.resourceId.length)[0]
  if (from === undefined || from.resourceId === organization.resourceId) return null
  const names = { name: organization.label, from: from.label }
  return (
    <div className={classes.stripe} role="status">
      <span className={classes.text}>
        {t(from.dealer && hasCapability('dealer') ? 'shell.insideAsDealer' : 'shell.inside', names)}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => void enter(from.resourceId, '/home')}
      >
        {t('shell.leaveInside', names)}
      </Button>
    </div>
  )
}

import { useWords } from '@longreach/ui/use-words'
import { Button, CloseButton } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { mayEnter } from '../../parts/access/access-rules.ts'
import { api, query } from '../../parts/api/api.ts'
import { useRightText } from '../../parts/access/right-text.ts'
import { type Session, useSession } from '../../parts/session/session.ts'
import { sections } from '../../sections.ts'
import { lastUsed } from '../switcher/recent-organizations.ts'
import type { Refused } from '../session/refused.ts'
import classes from './RefusedNotice.module.css'
import { RequestAccess } from './RequestAccess.tsx'

const mostAsked = 5

type Props = { refused: Refused; lost?: boolean }

/**
 * Says on the page where one is instead why one is not where one wanted to be, and the ways out;
 * `lost`: on the page itself, which stays open although the right to it was taken away.
 */
export function RefusedNotice({ refused, lost = false }: Props) {
  const t = useWords()
  const { organization, enter } = useSession()
  const why = useReason(refused)
  const other = useOrganizationWithRight(refused)
  const page = t(`shell.section.${refused.section}`)
  const title = t(lost ? 'access.lost.title' : 'shell.refused.title', { page })
  return (
    <section className={classes.notice} role="alert">
      <IconLock size={18} stroke={1.8} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <strong>{title}</strong>
        <span>{why}</span>
        {lost && <span>{t('access.lost.text')}</span>}
      </div>
      <div className={classes.actions}>
        {other && (
          <Button onClick={() => void enter(other.resourceId, refused.path)}>
            {t('shell.refused.open', { name: other.label || other.name })}
          </Button>
        )}
        <RequestAccess organization={organization.resourceId} note={`${title} ${why}`} />
        {lost ? <LeaveButton /> : <CloseNotice />}
      </div>
    </section>
  )
}

/** To the start page; what is not saved is asked for, as on any other way out. */
function LeaveButton() {
  const t = useWords()
  return (
    <Button variant="default" component={Link} to="/home">
      {t('access.lost.leave')}
    </Button>
  )
}

function CloseNotice() {
  const t = useWords()
  const navigate = useNavigate()
  return (
    <CloseButton
      aria-label={t('ui.close')}
      onClick={() => void navigate({ to: '.', search: true, replace: true, state: {} })}
    />
  )
}

/** The permission that is missing, or the place that lacks the feature, and who could help. */
function useReason({ lacking }: Refused) {
  const t = useWords()
  const rightText = useRightText()
  const { organization } = useSession()
  const name = organization.label || organization.name
  if (lacking.feature) return t(`shell.refused.${lacking.feature}`, { name })
  if (lacking.root) return t('shell.refused.root')
  const either = (group: readonly string[]) =>
    group.map(rightText).join(` ${t('shell.refused.or')} `)
  const rights = lacking.permissions.map(either).join(', ')
  return t('shell.refused.needs', { rights, name })
}

/** Another of the person's organizations in which they may open the page. */
function useOrganizationWithRight({ section: id }: Refused) {
  const session = useSession()
  const own = useQuery({ ...query(api.core.mine, {}), staleTime: 300_000 }).data ?? []
  const here = session.organization.resourceId
  const used = lastUsed()
  const others = own
    .filter(({ resourceId }) => resourceId !== here)
    .toSorted((a, b) => (used[b.resourceId] ?? 0) - (used[a.resourceId] ?? 0))
    .slice(0, mostAsked)
  const key = others.map(({ resourceId }) => resourceId)
  return useQuery({
    queryKey: ['organization with the right', id, here, key],
    queryFn: () => firstWith(id, others, session),
    enabled: others.length > 0,
  }).data
}

type Others = readonly Session['organization'][]

async function firstWith(id: string, others: Others, { permissionsIn }: Session) {
  const section = sections.find((one) => one.id === id)
  if (section === undefined) return null
  // One after the other: most people have one other organization, and the first that fits is enough.
  for (const organization of others) {
    const permissions = await permissionsIn(organization)
    if (mayEnter(section, { permissions, organization })) return organization
  }
  return null
}

import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useOrganizationNames } from '../../parts/organizations/organization-names.ts'
import { useSession } from '../../parts/session/session.ts'
import { type Fleet, fleetQuery } from './overview-calls.ts'
import shared from './overview.module.css'
import classes from './FleetCard.module.css'
import { usePlace } from './use-place.ts'

const states = ['online', 'offline', 'never'] as const
const tones: Record<(typeof states)[number], Tone> = { online: 'ok', offline: 'off', never: 'info' }
const mostShown = 6

/** Card with the number of devices in each state, in all and by organization. */
export function FleetCard() {
  const t = useWords()
  const errorText = useErrorText()
  const { data, error, refetch } = useQuery(fleetQuery(usePlace()))
  if (data?.counts.total === 0) return null
  return (
    <Panel title={t('overview.fleet')}>
      {error && <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />}
      {data && <Figures counts={data.counts} />}
      {data && data.organizations.length > 1 && <Organizations fleet={data} />}
      {!data && !error && <RowsSkeleton rows={3} />}
    </Panel>
  )
}

function Figures({ counts }: { counts: Fleet['counts'] }) {
  const t = useWords()
  const intl = useIntl()
  return (
    <>
      <div className={classes.figures}>
        <Link to="/devices" className={shared.figure}>
          <b>{intl.formatNumber(counts.total)}</b>
          <span>{t('overview.devices', { total: counts.total })}</span>
        </Link>
        {states.map((state) => (
          <Link key={state} to="/devices" search={{ state }} className={shared.figure}>
            <b>{intl.formatNumber(counts[state])}</b>
            <StatusDot tone={tones[state]}>{t(`overview.${state}`)}</StatusDot>
          </Link>
        ))}
      </div>
      <Bar counts={counts} />
    </>
  )
}

/** The shares as a bar; its figures stand beside it in words. */
const Bar = ({ counts }: { counts: Pick<Fleet['counts'], (typeof states)[number]> }) => (
  <span className={shared.bar} aria-hidden="true">
    {states.map((state) => (
      <span key={state} data-state={state} style={{ flexGrow: counts[state] }} />
    ))}
  </span>
)

function Organizations({ fleet }: { fleet: Fleet }) {
  const t = useWords()
  const intl = useIntl()
  const names = useOrganizationNames()
  const { organization } = useSession()
  const [all, setAll] = useState(false)
  const { organizations, organizationCount } = fleet
  const shown = all ? organizations : organizations.slice(0, mostShown)
  const nameOf = (resourceId: string) =>
    resourceId === organization.resourceId
      ? organization.label || organization.name
      : (names.get(resourceId) ?? resourceId)
  return (
    <>
      <table className={shared.table}>
        <thead>
          <tr>
            <th scope="col">{t('overview.organization')}</th>
            <th scope="col" className={shared.barCell}>
              <VisuallyHidden>{t('overview.share')}</VisuallyHidden>
            </th>
            {states.map((state) => (
              <th key={state} scope="col" className={shared.number}>
                {t(`overview.${state}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={one.orgResourceId}>
              <th scope="row">
                <Link
                  to="/devices"
                  search={{ organization: one.orgResourceId }}
                  className={shared.link}
                >
                  {nameOf(one.orgResourceId)}
                </Link>
              </th>
              <td className={shared.barCell}>
                <Bar counts={one} />
              </td>
              {states.map((state) => (
                <td key={state} className={shared.number} data-none={one[state] === 0 || undefined}>
                  {intl.formatNumber(one[state])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {organizations.length > mostShown && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(!all)}>
          {all ? t('overview.fewer') : t('overview.all', { total: organizations.length })}
        </Button>
      )}
      {all && organizationCount > organizations.length && (
        <p className={shared.dim}>
          {t('overview.moreOrganizations', { total: organizationCount - organizations.length })}
        </p>
      )}
    </>
  )
}

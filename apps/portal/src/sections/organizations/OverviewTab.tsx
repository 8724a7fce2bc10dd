import { CopyText } from '@longreach/ui/CopyText'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { Facts } from '@longreach/ui/SidePanel'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { Organization } from '../../parts/session/session.ts'
import { isFlagOffered } from './change-rules.ts'
import { dependenciesQuery } from './organization-calls.ts'
import shared from './organizations.module.css'
import classes from './OverviewTab.module.css'

const countedKinds = [
  'people',
  'devices',
  'organizations',
  'keys',
  'userGroups',
  'deviceGroups',
] as const

/** Tab of the organization's facts, its settings, and the amounts in it and below it. */
export function OverviewTab({ organization }: { organization: Organization }) {
  const t = useWords()
  const intl = useIntl()
  const errorText = useErrorText()
  const { id, resourceId, realmName, hostname } = organization
  const { data, error, refetch } = useQuery(dependenciesQuery(resourceId))
  return (
    <div className={shared.stack}>
      {error && <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />}
      <dl className={shared.figures} aria-label={t('organizations.figures')}>
        {countedKinds.map((name) => (
          <div key={name}>
            <dt>{t(`organizations.count.${name}`)}</dt>
            <dd>{data ? intl.formatNumber(data[name]) : '—'}</dd>
          </div>
        ))}
      </dl>
      <p className={shared.hint}>{t('organizations.figuresBelow')}</p>
      <Panel title={t('organizations.facts')}>
        <Facts
          items={[
            {
              label: t('organizations.resourceId'),
              value: <CopyText text={resourceId} label={t('organizations.resourceId')} />,
            },
            {
              label: t('organizations.number'),
              value: <CopyText text={String(id)} label={t('organizations.number')} />,
            },
            { label: t('organizations.realm'), value: realmName },
            { label: t('organizations.hostname'), value: hostname ?? '—' },
            { label: t('organizations.has'), value: <Features organization={organization} /> },
          ]}
        />
      </Panel>
    </div>
  )
}

function Features({ organization }: { organization: Organization }) {
  const t = useWords()
  const flags = ['dataEnabled', 'vpnEnabled', 'dealer', 'storeEnabled', 'privateAccess'] as const
  const on = new Set(flags.filter((flag) => organization[flag] && isFlagOffered(flag)))
  return (
    <span className={classes.tags}>
      {on.has('dataEnabled') && <Tag tone="info">{t('shell.tag.iot')}</Tag>}
      {on.has('vpnEnabled') && <Tag tone="ok">{t('shell.tag.vpn')}</Tag>}
      {on.has('dealer') && <Tag tone="warning">{t('shell.tag.dealer')}</Tag>}
      {on.has('storeEnabled') && <Tag tone="info">{t('organizations.tag.store')}</Tag>}
      {on.has('privateAccess') && <Tag tone="off">{t('organizations.tag.private')}</Tag>}
      {on.size === 0 && '—'}
    </span>
  )
}

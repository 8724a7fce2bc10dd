import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Organization, useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { organizationQuery } from './organization-calls.ts'
import { OrganizationActions } from './OrganizationActions.tsx'
import shared from './organizations.module.css'
import classes from './OrganizationDetail.module.css'
import { OverviewTab } from './OverviewTab.tsx'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'

const AuditTab = late(() => import('../../parts/audit/AuditTab.tsx'), 'AuditTab')
const DeletedTab = late(() => import('./DeletedTab.tsx'), 'DeletedTab')
const ImportTokenTab = late(() => import('./ImportTokenTab.tsx'), 'ImportTokenTab')
const SecurityTab = late(() => import('./SecurityTab.tsx'), 'SecurityTab')
const SettingsTab = late(() => import('./SettingsTab.tsx'), 'SettingsTab')

const tabs = ['overview', 'settings', 'security', 'import', 'deleted', 'log'] as const
type Tab = (typeof tabs)[number]

type Props = { org: string; onGone: (org: string) => void }

/** Everything about the chosen organization. */
export function OrganizationDetail({ org, onGone }: Props) {
  const { data, error, refetch } = useQuery(organizationQuery(org))
  return (
    <section className={shared.detail} aria-labelledby="organization-name">
      {error || !data ? (
        <ContentPending kind="organization" {...{ error, refetch }} />
      ) : (
        <Loaded organization={data} onGone={onGone} />
      )}
    </section>
  )
}

function Loaded({ organization, onGone }: { organization: Organization } & Pick<Props, 'onGone'>) {
  const t = useWords()
  const may = useMay()
  const [search, change] = useSearch()
  const { label, name, resourceId } = organization
  const shown = tabs.filter((tab) => {
    if (tab === 'import') return may('devices:create')
    if (tab === 'deleted') return may('organizations:delete')
    return tab !== 'log' || may('audit:access')
  })
  const tab = shown.find((one_) => one_ === one(search['tab'])) ?? 'overview'
  return (
    <>
      <header className={classes.detailHead}>
        <div className={classes.detailName}>
          <h2 id="organization-name">{label || name}</h2>
          <p>{resourceId.split('.').join(' › ')}</p>
        </div>
        <OrganizationActions organization={organization} onGone={onGone} />
      </header>
      <Tabs
        value={tab}
        onChange={(next) =>
          void change({ tab: next === 'overview' ? undefined : (next ?? undefined) })
        }
        keepMounted={false}
      >
        <Tabs.List>
          {shown.map((one_) => (
            <Tabs.Tab key={one_} value={one_}>
              {t(`organizations.tab.${one_}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.tabPanel}>
          <Content tab={tab} organization={organization} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function Content({ tab, organization }: { tab: Tab; organization: Organization }) {
  const { resourceId, id } = organization
  if (tab === 'settings') return <SettingsTab organization={organization} />
  if (tab === 'security') return <SecurityTab organization={organization} />
  if (tab === 'import') return <ImportTokenTab org={resourceId} />
  if (tab === 'deleted') return <DeletedTab org={resourceId} />
  if (tab === 'log') return <AuditTab resource="organizations" id={id} organization={resourceId} />
  return <OverviewTab organization={organization} />
}

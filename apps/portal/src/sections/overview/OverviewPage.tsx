import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useMay, useSession } from '../../parts/session/session.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { FleetCard } from './FleetCard.tsx'
import { NoticesCard } from './NoticesCard.tsx'
import { useFollowedStates } from './overview-calls.ts'
import classes from './OverviewPage.module.css'
import { RecentCard } from './RecentCard.tsx'
import { WritesCard } from './WritesCard.tsx'

/** The fleet at a glance, what needs the reader, and where they went on working. */
export function Component() {
  const t = useWords()
  const { organization } = useSession()
  const readsDevices = useMay()('devices:read')
  return (
    <Page>
      <PageHeader
        title={t('shell.section.overview')}
        help={t('overview.help', { organization: organization.label || organization.name })}
      />
      {readsDevices && <Followed />}
      <div className={classes.grid}>
        <div className={classes.column}>
          {readsDevices && <FirstSteps />}
          {readsDevices && <FleetCard />}
          <NoticesCard />
        </div>
        <div className={classes.column}>
          {readsDevices && <WritesCard />}
          <RecentCard />
        </div>
      </div>
    </Page>
  )
}

/** The socket is opened only for who may see devices. */
function Followed() {
  useFollowedStates()
  return null
}

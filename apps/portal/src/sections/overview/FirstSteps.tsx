import { EmptyState } from '@longreach/ui/EmptyState'
import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { mayEnter } from '../../parts/access/access-rules.ts'
import { knownSections } from '../../parts/pages/known-sections.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { fleetQuery } from './overview-calls.ts'
import { usePlace } from './use-place.ts'

/** In an organization without devices: how the first one comes in, and who else is needed. */
export function FirstSteps() {
  const t = useWords()
  const may = useMay()
  const session = useSession()
  const { data } = useQuery(fleetQuery(usePlace()))
  if (data?.counts.total !== 0) return null
  const walk = knownSections().find(({ id }) => id === 'walkthrough')
  const mayWalk = walk !== undefined && mayEnter(walk, session) && may('devices:create')
  return (
    <Panel>
      <EmptyState
        kind="nothing"
        title={t('overview.noDevices')}
        text={t(may('devices:create') ? 'overview.firstSteps' : 'overview.askForDevices')}
        action={
          <Group gap="xs" justify="center">
            {mayWalk && (
              <Button component={Link} to={walk.path}>
                {t('overview.connectFirst')}
              </Button>
            )}
            {may('devices:create') && (
              <Button variant="default" component={Link} to="/devices/import">
                {t('overview.importDevices')}
              </Button>
            )}
            {may('users:create') && (
              <Button variant="default" component={Link} to="/permission">
                {t('overview.invitePeople')}
              </Button>
            )}
          </Group>
        }
      />
    </Panel>
  )
}

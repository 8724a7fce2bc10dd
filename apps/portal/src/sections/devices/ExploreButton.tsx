import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTags } from '../../parts/devices/devices.ts'
import { firstChosen } from '../../parts/devices/tags.ts'
import { useSession } from '../../parts/session/session.ts'

/** Leads to the explorer with the device's first values on the chart. */
export function ExploreButton({ deviceId }: { deviceId: string }) {
  const t = useWords()
  const { permissions, organization } = useSession()
  const { tags } = useTags(deviceId, { live: false })
  if (!permissions.has('models:read') || !organization.dataEnabled) return null
  const paths = firstChosen(tags)
  const search = { s: paths.map((path) => `${deviceId}/${path}`) } as never // the route tree is made from data, so the router knows no types
  return (
    <Button variant="default" component={Link} to="/data-explore" search={search}>
      {t('devices.explore')}
    </Button>
  )
}

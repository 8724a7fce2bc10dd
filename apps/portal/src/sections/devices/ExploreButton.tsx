import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTags } from '../../parts/devices/devices.ts'
import { firstChosen } from '../../parts/devices/tags.ts'
import { useSession } from '../../parts/session/session.ts'
import { linkTo } from '../../parts/pages/page-links.ts'

/** Leads to the explorer with the device's first values on the chart. */
export function ExploreButton({ deviceId }: { deviceId: string }) {
  const t = useWords()
  const { permissions, organization } = useSession()
  const { tags } = useTags(deviceId, { live: false })
  if (!permissions.has('models:read') || !organization.dataEnabled) return null
  const paths = firstChosen(tags)
  const explorer = linkTo('/data-explore', {
    search: { s: paths.map((path) => `${deviceId}/${path}`) },
  })
  return (
    <Button variant="default" component={Link} {...explorer}>
      {t('devices.explore')}
    </Button>
  )
}

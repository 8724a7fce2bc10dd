import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../parts/session/session.ts'
import { linkTo } from '../../parts/pages/page-links.ts'

type Props = {
  preset: { presetId: string | null; presetName: string | null }
  /** Its tags stand beside the preset. */
  deviceId: string
  /** Shown without a preset. */
  none: string
}

/** Leads from a device to its preset, edited beside the device's own tags. */
export function PresetLink({ preset: { presetId, presetName }, deviceId, none }: Props) {
  const { permissions, organization } = useSession()
  if (presetId === null) return none
  const may = permissions.has('models:read') && organization.dataEnabled
  if (!may) return presetName ?? none
  const edited = linkTo('/presets/$presetId', {
    params: { presetId },
    search: { device: deviceId },
  })
  return (
    <Anchor component={Link} {...edited} inherit>
      {presetName}
    </Anchor>
  )
}

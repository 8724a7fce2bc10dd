import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../parts/session/session.ts'

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
  const search = { device: deviceId } as never // the route tree is made from data, so the router knows no types
  return (
    <Anchor component={Link} to={`/presets/${presetId}`} search={search} inherit>
      {presetName}
    </Anchor>
  )
}

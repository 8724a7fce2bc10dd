import { useTags } from '../../parts/devices/devices.ts'
import { keyTags } from '../../parts/devices/tags.ts'
import { TagValue } from '../../parts/devices/TagValue.tsx'
import type { Device } from './device-calls.ts'
import classes from './KeyValuesCell.module.css'

const mostValues = 3
/** Values of many devices are on the screen at once. */
const slowly = { maxHz: 0.5 }

/** The most telling values of a device, for a row or a card of a list. */
export function KeyValuesCell({ device }: { device: Pick<Device, 'deviceId' | 'connected'> }) {
  const { tags, pending } = useTags(device.deviceId, slowly)
  const shown = keyTags(tags).slice(0, mostValues)
  if (shown.length === 0) return pending ? null : '—'
  return (
    <span className={classes.keyCell}>
      {shown.map((tag) => (
        <span key={tag.path} title={tag.path}>
          <small>{tag.name}</small>
          <TagValue tag={tag} live={tag.last} connected={device.connected} />
        </span>
      ))}
    </span>
  )
}

import { useTags } from '../../../parts/devices/devices.ts'
import { keyTags } from '../../../parts/devices/tags.ts'
import { TagValue } from '../../../parts/devices/TagValue.tsx'
import type { Row } from '../device-rows.ts'
import classes from './KeyValues.module.css'

/** The device's most telling values, in large figures under its name. */
export function KeyValues({ device }: { device: Row }) {
  const { tags } = useTags(device.deviceId)
  const shown = keyTags(tags)
  if (shown.length === 0) return null
  return (
    <dl className={classes.keyValues}>
      {shown.map((tag) => (
        <div key={tag.path}>
          <dt title={tag.path}>{tag.name}</dt>
          <dd>
            <TagValue tag={tag} live={tag.last} connected={device.connected} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

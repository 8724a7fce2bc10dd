import { late } from '@longreach/ui/late'
import { useTags } from '../../../parts/devices/devices.ts'
import { firstChosen } from '../../../parts/devices/tags.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import type { Row } from '../device-rows.ts'
import shared from './device-page.module.css'
import classes from './DeviceValues.module.css'
import { LiveValues } from './LiveValues.tsx'

const TagChart = late(
  () => import('../../../parts/history/TagChart.tsx'),
  'TagChart',
  <div className={classes.chartToCome} aria-hidden />,
)

const chartHeight = 320

type Props = { device: Row; chart: boolean; most?: number }

/** Values of the device, and a chart of those that are chosen; the choice stands in the address. */
export function ChosenValues({ device, chart, most }: Props) {
  const { tags } = useTags(device.deviceId)
  const [search, change] = useSearch()
  const named = one(search['paths'])?.split(',')
  const chosen = named ?? firstChosen(tags)
  const choose = (path: string) =>
    void change({
      paths: (chosen.includes(path)
        ? chosen.filter((other) => other !== path)
        : [...chosen, path]
      ).join(','),
    })
  return (
    <div className={shared.stack}>
      {chart && (
        <TagChart
          deviceId={device.deviceId}
          paths={chosen}
          height={chartHeight}
          start="1h"
          picker
        />
      )}
      <LiveValues
        device={device}
        connected={device.connected}
        chosen={chart ? chosen : []}
        onChoose={choose}
        {...(most !== undefined && { most })}
      />
    </div>
  )
}

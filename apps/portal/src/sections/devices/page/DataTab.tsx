import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { ExportValues } from '../ExportValues.tsx'
import { LiveBadge } from '../../../parts/live/LiveBadge.tsx'
import type { Row } from '../device-rows.ts'
import classes from './DataTab.module.css'
import { ChosenValues } from './DeviceValues.tsx'

/** Tab with all values of the device, and a chart of the chosen ones. */
export function DataTab({ device }: { device: Row }) {
  const t = useWords()
  return (
    <Panel
      title={t('device-page.tab.data')}
      beside={
        <span className={classes.tools}>
          <ExportValues devices={{ ids: [device.deviceId] }} name={device.label} />
          <LiveBadge />
        </span>
      }
    >
      <ChosenValues device={device} chart />
    </Panel>
  )
}

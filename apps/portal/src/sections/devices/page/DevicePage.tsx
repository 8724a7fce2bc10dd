import { late } from '@longreach/ui/late'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { DeviceAlarmMark } from '../../../parts/alarms/DeviceAlarmMark.tsx'
import { FollowDeviceAlarms } from '../../../parts/alarms/FollowDeviceAlarms.tsx'
import { DetailPending } from '../../../parts/pages/DetailPending.tsx'
import { queries } from '../../../parts/api/queries.ts'
import { configurationQuery, deviceQuery, seriesQuery } from '../../../parts/devices/devices.ts'
import type { Asked } from '../../../parts/pages/section.ts'
import { FailedPage } from '../../../parts/pages/FailedPage.tsx'
import { useReach } from '../../../parts/session/reach.ts'
import { rememberOpened } from '../../../parts/pages/recent.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { ConnectionState } from '../ConnectionState.tsx'
import { type Row, useRows } from '../device-rows.ts'
import { movedTab, tabKeys, tabsFor, tabWords } from './device-tabs.ts'
import { ExploreButton } from '../ExploreButton.tsx'
import { Breadcrumb } from '../../../parts/pages/Breadcrumb.tsx'
import classes from './DevicePage.module.css'
import { TabContent } from './DeviceTabs.tsx'
import { KeyValues } from './KeyValues.tsx'
import { WriteRequests } from './WriteRequests.tsx'

// Its place is kept while its file comes.
const DeviceMenu = late(() => import('./DeviceMenu.tsx'), 'DeviceMenu')

/** Starts the calls for the device and its values. */
export function loader({ reach, params: { deviceId = '' } }: Asked) {
  void queries.prefetchQuery(deviceQuery(reach, deviceId))
  void queries.prefetchQuery(seriesQuery(reach, deviceId))
  void queries.prefetchQuery(configurationQuery(reach, deviceId))
}

const pending = { to: '/devices', section: 'devices', shape: { figures: 4, tabs: 6 } }

/** Everything about one device. */
export function Component() {
  const { deviceId = '' }: { deviceId?: string } = useParams({ strict: false })
  const org = useReach()
  const { data, error, refetch } = useQuery(deviceQuery(org, deviceId))
  const [device] = useRows(data ? [data.value] : [])
  if (error) return <FailedPage kind="device" error={error} onRetry={() => void refetch()} />
  return device ? <Loaded device={device} /> : <DetailPending {...pending} />
}

function Loaded({ device }: { device: Row }) {
  const t = useWords()
  const [search, change] = useSearch()
  const may = useMay()
  const shown = tabsFor(may)
  const asked = one(search['tab'])
  const moved = movedTab(asked)
  const tab = shown.find((name) => name === (moved?.['tab'] ?? asked)) ?? 'overview'
  useEffect(() => {
    if (moved) void change(moved)
  }, [moved, change])
  const session = useSession()
  const { deviceId: id, label } = device
  useEffect(() => rememberOpened(session, { kind: 'device', id, label }), [session, id, label])
  const tabList = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a phone the chosen tab may be outside of what shows.
    const chosen = tabList.current?.querySelector('[aria-selected=true]')
    chosen?.scrollIntoView({ inline: 'center', block: 'nearest' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- looked for anew when a tab is chosen or comes
  }, [tab, shown.length])
  return (
    <Page>
      <PageHeader
        title={device.label}
        beside={
          <>
            <ConnectionState connected={device.connected} since={device.since} />
            <DeviceAlarmMark device={device} link />
          </>
        }
        trail={<Breadcrumb to="/devices" section="devices" />}
        {...(device.description && { help: device.description })}
        actions={
          <>
            <ExploreButton deviceId={device.deviceId} />
            <Suspense fallback={<span style={{ width: 30, height: 30 }} />}>
              <DeviceMenu device={device} />
            </Suspense>
          </>
        }
      />
      <FollowDeviceAlarms />
      <WriteRequests deviceId={device.deviceId} />
      <KeyValues device={device} />
      <Tabs
        value={tab}
        onChange={(next) =>
          void change(
            {
              ...Object.fromEntries(tabKeys.map((key) => [key, undefined])),
              tab: next === 'overview' ? undefined : (next ?? undefined),
            },
            { push: true },
          )
        }
        keepMounted={false}
      >
        <Tabs.List ref={tabList} className={classes.tabBar}>
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(tabWords[name])}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.tabs}>
          <TabContent tab={tab} device={device} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

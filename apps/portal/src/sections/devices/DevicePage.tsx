import type { Permission } from '@longreach/authorization/permissions'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader, Panel } from '@longreach/ui/PageHeader'
import { ListSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Anchor, Menu, Tabs } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { AuditTab } from '../../lib/AuditTab.tsx'
import { DeviceAccessTab } from '../../lib/DeviceAccessTab.tsx'
import { deviceQuery, useTags } from '../../lib/devices.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { LiveBadge } from '../../lib/LiveBadge.tsx'
import { useReach } from '../../lib/reach.ts'
import { useMay } from '../../lib/session.ts'
import { firstChosen } from '../../lib/tags.ts'
import { one, useSearch } from '../../lib/use-search.ts'
import { AssignPresetDialog } from './AssignPresetDialog.tsx'
import { ConfigurationTab } from './ConfigurationTab.tsx'
import { ConnectionTab } from './ConnectionTab.tsx'
import { ConsoleTab } from './ConsoleTab.tsx'
import { ConnectDialog } from './AddDeviceDialog.tsx'
import { ConnectionState, type Row, useRows } from './device-columns.tsx'
import { DeleteDeviceDialog } from './DeleteDeviceDialog.tsx'
import { DeviceFacts, ExploreButton } from './DevicePanel.tsx'
import classes from './devices.module.css'
import { EditDeviceDialog } from './EditDeviceDialog.tsx'
import { LiveValues } from './LiveValues.tsx'
import { MoveDeviceDialog } from './MoveDeviceDialog.tsx'
import { TagChart } from './TagChart.tsx'

const tabs = [
  'overview',
  'values',
  'chart',
  'configuration',
  'connection',
  'console',
  'access',
  'audit',
] as const
type Tab = (typeof tabs)[number]
/** What a tab is about that not everybody may see. */
const mayOpen: Partial<Record<Tab, Permission>> = { access: 'users:read', audit: 'audit:access' }
const tabWords: Record<Tab, string> = {
  overview: 'devices.tab.overview',
  values: 'devices.tab.values',
  chart: 'devices.tab.chart',
  configuration: 'devices.tab.configuration',
  connection: 'devices.tab.connection',
  console: 'devices.tab.console',
  access: 'devices.tab.access',
  audit: 'devices.tab.audit',
}

/** Everything about one device. */
export function Component() {
  const t = useWords()
  const errorText = useErrorText()
  const { deviceId = '' }: { deviceId?: string } = useParams({ strict: false })
  const org = useReach()
  const { data, error, refetch } = useQuery(deviceQuery(org, deviceId))
  const [device] = useRows(data ? [data.value] : [])
  if (error)
    return (
      <Page>
        <PageHeader title={t('devices.device')} />
        <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
        <Anchor component={Link} to="/devices">
          {t('devices.backToList')}
        </Anchor>
      </Page>
    )
  return device ? <Loaded device={device} /> : <ListSkeleton />
}

function Loaded({ device }: { device: Row }) {
  const t = useWords()
  const [search, change] = useSearch()
  const may = useMay()
  const shown = tabs.filter((name) => (mayOpen[name] ? may(mayOpen[name]) : true))
  const tab = shown.find((name) => name === one(search['tab'])) ?? 'overview'
  return (
    <Page>
      <PageHeader
        title={device.label}
        beside={<ConnectionState connected={device.connected} since={device.since} />}
        help={
          <>
            <Anchor component={Link} to="/devices" inherit underline="always">
              {t('shell.section.devices')}
            </Anchor>
            {device.description && ` · ${device.description}`}
          </>
        }
        actions={
          <>
            <ExploreButton deviceId={device.deviceId} />
            <DeviceMenu device={device} />
          </>
        }
      />
      <Tabs
        value={tab}
        onChange={(next) =>
          void change({ tab: next === 'overview' ? undefined : (next ?? undefined) })
        }
        keepMounted={false}
      >
        <Tabs.List>
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

function TabContent({ tab, device }: { tab: Tab; device: Row }) {
  const t = useWords()
  if (tab === 'overview') return <Overview device={device} />
  if (tab === 'configuration') return <ConfigurationTab device={device} />
  if (tab === 'connection') return <ConnectionTab device={device} />
  if (tab === 'console') return <ConsoleTab deviceId={device.deviceId} />
  if (tab === 'audit') return <AuditTab resource="devices" id={device.deviceId} />
  if (tab === 'access') {
    const help = t('devices.accessHelp')
    return <DeviceAccessTab device={device.deviceId} title={t(tabWords[tab])} help={help} />
  }
  return (
    <Panel title={t(tabWords[tab])} beside={<LiveBadge />}>
      <ChosenValues device={device} chart={tab === 'chart'} />
    </Panel>
  )
}

/** Values of the device, and a chart of those that are chosen; the choice stands in the address. */
function ChosenValues({ device, chart, most }: { device: Row; chart: boolean; most?: number }) {
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
    <div className={classes.stack}>
      {chart && (
        <TagChart deviceId={device.deviceId} paths={chosen} height={320} start="1h" picker />
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

function Overview({ device }: { device: Row }) {
  const t = useWords()
  return (
    <div className={classes.columns}>
      <Panel title={t('devices.values')} beside={<LiveBadge />}>
        <ChosenValues device={device} chart most={30} />
      </Panel>
      <Panel title={t('devices.details')}>
        <DeviceFacts device={device} />
      </Panel>
    </div>
  )
}

type Dialog = 'edit' | 'preset' | 'connect' | 'move' | 'delete'

/** What can be done with the device; what may not be done says why. */
function DeviceMenu({ device }: { device: Row }) {
  const t = useWords()
  const may = useMay()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const item = (name: Dialog, label: string, allowed: boolean, reason: string) => (
    <Menu.Item
      disabled={!allowed}
      {...(!allowed && { title: reason })}
      {...(name === 'delete' && allowed && { c: 'var(--lr-alarm)' })}
      onClick={() => setDialog(name)}
    >
      {label}
    </Menu.Item>
  )
  const update = may('devices:update')
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('devices.actions')}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {item('edit', t('devices.edit'), update, t('devices.mayNotUpdate'))}
          {item(
            'preset',
            t('devices.assign'),
            update && may('models:read'),
            t('devices.mayNotUpdate'),
          )}
          {item('connect', t('devices.connect'), update, t('devices.mayNotUpdate'))}
          <Menu.Divider />
          {item('move', t('devices.move'), may('devices:delete'), t('devices.mayNotDelete'))}
          {item('delete', t('devices.delete'), may('devices:delete'), t('devices.mayNotDelete'))}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'edit' && <EditDeviceDialog device={device} onClose={close} />}
      {dialog === 'preset' && <AssignPresetDialog device={device} onClose={close} />}
      {dialog === 'connect' && <ConnectDialog device={device} onClose={close} />}
      {dialog === 'move' && (
        <MoveDeviceDialog
          device={device}
          onClose={close}
          onMoved={() => void navigate({ to: '/devices' })}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDeviceDialog
          device={device}
          onClose={close}
          onDeleted={() => void navigate({ to: '/devices' })}
        />
      )}
    </>
  )
}

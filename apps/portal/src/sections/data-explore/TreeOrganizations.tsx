import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { IconBuildingFactory2, IconCpu } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useLiveStatus } from '../../parts/live/live.ts'
import { useSession } from '../../parts/session/session.ts'
import shared from './data-explore.module.css'
import tree from './tree.module.css'
import classes from './TreeOrganizations.module.css'
import { TreeBranch, useTree } from './TreeBranch.tsx'
import { TreePaths } from './TreePaths.tsx'
import { useOpened } from './use-opened.ts'

type Organization = { resourceId: string; label: string }
type OrganizationProps = { organization: Organization; level: number; first?: boolean }
const pageSize = 50

/** An organization: those below it, then its own devices. Both are read when it is opened. */
export function OrganizationItem({ organization, level, first = false }: OrganizationProps) {
  const { places } = useTree()
  const { resourceId, label } = organization
  const [opened, press] = useOpened(resourceId, first || places.has(resourceId))
  return (
    <TreeBranch
      id={resourceId}
      level={level}
      title={resourceId}
      opened={opened}
      onPress={press}
      row={
        <>
          <IconBuildingFactory2 size={15} stroke={1.6} className={tree.kindIcon} />
          <span className={tree.nodeName}>{label}</span>
        </>
      }
    >
      <OrganizationsBelow at={resourceId} level={level + 1} />
      <DeviceItems organization={resourceId} level={level + 1} />
    </TreeBranch>
  )
}

function OrganizationsBelow({ at, level }: { at: string; level: number }) {
  const t = useWords()
  const org = useSession().organization.resourceId
  const list = useInfiniteQuery({
    queryKey: [api.core.tree.key, org, { at }],
    queryFn: ({ pageParam, signal }) =>
      api.core.tree({ params: { org }, query: { at, page: pageParam, pageSize: 100 } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    // Who may not look at organizations still has the devices of their own.
    retry: false,
  })
  const below = list.data?.pages.flatMap(({ content }) => content) ?? []
  return (
    <>
      {below
        .filter(({ userCanAccess, dataEnabled }) => userCanAccess && dataEnabled)
        .map((organization) => (
          <OrganizationItem key={organization.id} organization={organization} level={level} />
        ))}
      {list.hasNextPage && (
        <More
          id={`organizations ${at}`}
          level={level}
          pending={list.isFetchingNextPage}
          onMore={() => list.fetchNextPage()}
        >
          {t('data-explore.moreOrganizations')}
        </More>
      )}
    </>
  )
}

type DevicesProps = { organization: string; level: number; search?: string }

/** Devices of an organization, page after page; with a text those that match it, anywhere below. */
export function DeviceItems({ organization, level, search }: DevicesProps) {
  const t = useWords()
  const errorText = useErrorText()
  const question = { organization, orderBy: 'name', ...(search !== undefined && { search }) }
  const list = useInfiniteQuery({
    queryKey: [api.mappings.devices.key, 'tree', question],
    queryFn: ({ pageParam, signal }) =>
      api.mappings.devices({ query: { ...question, page: pageParam, pageSize } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    placeholderData: keepPreviousData,
  })
  const devices = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      {list.isPending && (
        <li role="none">
          <RowsSkeleton rows={4} />
        </li>
      )}
      {list.error && (
        <li role="treeitem" aria-level={level} tabIndex={-1}>
          <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
        </li>
      )}
      {devices.map((device) => (
        <DeviceItem key={device.deviceId} device={device} level={level} />
      ))}
      {list.hasNextPage && (
        <More
          id={`devices ${organization}`}
          level={level}
          pending={list.isFetchingNextPage}
          onMore={() => list.fetchNextPage()}
        >
          {t('data-explore.more')}
        </More>
      )}
    </>
  )
}

type DeviceProps = {
  device: { deviceId: string; label: string; connected: boolean; orgResourceId: string }
  level: number
}

function DeviceItem({ device, level }: DeviceProps) {
  const t = useWords()
  const { lines } = useTree()
  const { deviceId, label, orgResourceId } = device
  const own = lines.filter((line) => line.device === deviceId)
  const [drawnAtFirst] = useState(own.length > 0)
  const [opened, press] = useOpened(deviceId, drawnAtFirst)
  const connected = useLiveStatus()(deviceId)?.connected ?? device.connected
  const word = connected ? t('data-explore.online') : t('data-explore.offline')
  return (
    <TreeBranch
      id={deviceId}
      level={level}
      title={orgResourceId}
      opened={opened}
      onPress={press}
      row={
        <>
          <IconCpu size={15} stroke={1.6} className={tree.kindIcon} />
          <span className={tree.nodeName}>{label}</span>
          {own.length > 0 && <span className={classes.count}>{own.length}</span>}
          <StatusDot tone={connected ? 'ok' : 'off'}>
            <span className={shared.dim}>{word}</span>
          </StatusDot>
        </>
      }
    >
      <TreePaths device={deviceId} connected={connected} level={level + 1} />
    </TreeBranch>
  )
}

type MoreProps = {
  id: string
  level: number
  pending: boolean
  onMore: () => Promise<unknown>
  children: string
}

function More({ level, pending, onMore, id, children }: MoreProps) {
  return (
    <TreeBranch
      id={`more ${id}`}
      level={level}
      disabled={pending}
      onPress={() => void onMore()}
      row={<span className={classes.more}>{children}</span>}
    />
  )
}

import { late } from '@longreach/ui/late'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { ActionButton } from '@longreach/ui/ActionButton'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconArrowBackUp, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query, stale } from '../../../parts/api/api.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { queries } from '../../../parts/api/queries.ts'
import { useMay } from '../../../parts/session/session.ts'
import { type KeptSource, SourceListing } from './agent-answers.ts'
import { useAgent, useAgentCommand, useAgentErrorText, useSources } from './agent-calls.ts'
import type { Row } from '../device-rows.ts'
import { GatewayHealth } from './GatewayHealth.tsx'
import { GatewayUpdate } from './GatewayUpdate.tsx'
import { QuickPreset } from '../QuickPreset.tsx'
import { RemoveSource } from './RemoveSource.tsx'
import { SourceTable } from './SourceTable.tsx'
import classes from './sources.module.css'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'

const SourceDialog = late(() => import('./SourceDialog.tsx'), 'SourceDialog')

/** The gateway behind a device: how it is, and which machines it reads. */
export function SourcesTab({ device }: { device: Row }) {
  const t = useWords()
  const { data, error, refetch } = useAgent(device.deviceId)
  const may = useMay()('devices:update')
  if (error || !data) return <ContentPending {...{ error, refetch }} rows={12} />
  const { health, available } = data
  if (!health) return <EmptyState kind="forbidden" title={t('gateway.noHealth')} />
  const away = data.connected ? undefined : t('gateway.away')
  const reason = may ? away : t('devices.mayNotUpdate')
  return (
    <div className={classes.stack}>
      <Panel title={t('gateway.title')}>
        <div className={classes.stack}>
          <GatewayHealth
            health={health}
            reportedAt={data.reportedAt}
            clockDifferenceMs={data.clockDifferenceMs}
          />
          {available && (
            <GatewayUpdate
              deviceId={device.deviceId}
              health={health}
              available={available}
              reason={reason}
            />
          )}
        </div>
      </Panel>
      <Sources device={device} reason={reason} />
      {may && <PresetPanel device={device} />}
    </div>
  )
}

type Open = { kind: 'edit' | 'remove'; source: KeptSource | undefined }

function Sources({ device, reason }: { device: Row; reason: string | undefined }) {
  const t = useWords()
  const text = useAgentErrorText()
  const { data, error, refetch, isFetching } = useSources(device.deviceId, reason === undefined)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const changed = (listing: SourceListing) => {
    queries.setQueryData(['agent-sources', device.deviceId], listing)
    void stale(api.platform.availableTags)
    void stale(api.platform.agent)
    close()
  }
  const locked = reason ?? (data?.configure === false ? t('gateway.configureLocked') : undefined)
  return (
    <Panel
      title={t('gateway.sources')}
      beside={
        <Actions
          device={device}
          listing={data}
          locked={locked}
          onAdd={() => setOpen({ kind: 'edit', source: undefined })}
          onDone={changed}
        />
      }
    >
      {error && (
        <ErrorPanel message={text(error, t('gateway.noAnswer'))} onRetry={() => void refetch()} />
      )}
      {!data && <Waiting reason={reason} asking={isFetching} />}
      {data && (
        <SourceTable
          sources={data.sources}
          locked={locked}
          onEdit={(source) => setOpen({ kind: 'edit', source })}
          onRemove={(source) => setOpen({ kind: 'remove', source })}
        />
      )}
      {data && open && (
        <OpenDialog device={device} listing={data} open={open} onClose={close} onDone={changed} />
      )}
    </Panel>
  )
}

type ActionsProps = {
  device: Row
  listing: SourceListing | undefined
  locked: string | undefined
  onAdd: () => void
  onDone: (listing: SourceListing) => void
}

function Actions({ device, listing, locked, onAdd, onDone }: ActionsProps) {
  const t = useWords()
  return (
    <div className={classes.bar}>
      {listing?.canRestore && (
        <Restore device={device} listing={listing} reason={locked} onDone={onDone} />
      )}
      <ActionButton
        reason={locked}
        idle={!listing}
        leftSection={<IconPlus size={15} />}
        onClick={onAdd}
      >
        {t('gateway.add')}
      </ActionButton>
    </div>
  )
}

/** Nothing is known of the sources: they are being asked for, or cannot be. */
function Waiting({ reason, asking }: { reason: string | undefined; asking: boolean }) {
  if (reason !== undefined) return <p className={classes.dim}>{reason}</p>
  return asking && <RowsSkeleton />
}

type DialogProps = {
  device: Row
  listing: SourceListing
  open: Open
  onClose: () => void
  onDone: (listing: SourceListing) => void
}

function OpenDialog({ device, listing, open, onClose, onDone }: DialogProps) {
  if (open.kind === 'edit')
    return (
      <SourceDialog
        deviceId={device.deviceId}
        listing={listing}
        source={open.source}
        onClose={onClose}
        onSaved={onDone}
      />
    )
  return (
    open.source && (
      <RemoveSource
        deviceId={device.deviceId}
        version={listing.version}
        name={open.source.source.name}
        onClose={onClose}
        onRemoved={onDone}
      />
    )
  )
}

type RestoreProps = {
  device: Row
  listing: SourceListing
  reason: string | undefined
  onDone: (listing: SourceListing) => void
}

/** Back to the sources as they were before the last change. */
function Restore({ device, listing, reason, onDone }: RestoreProps) {
  const t = useWords()
  const ask = useAgentCommand(device.deviceId)
  const text = useAgentErrorText()
  const restore = useMutation({
    mutationFn: () => {
      const input = { version: listing.version }
      return ask({ command: 'sources.restore', input }, SourceListing)
    },
    onSuccess: onDone,
  })
  return (
    <>
      {restore.error && <ErrorPanel message={text(restore.error, t('gateway.noAnswer'))} />}
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={15} />}
        disabled={reason !== undefined}
        loading={restore.isPending}
        onClick={() => restore.mutate()}
      >
        {t('gateway.restore')}
      </Button>
    </>
  )
}

/** From the tags that the gateway advertises to a preset. */
function PresetPanel({ device }: { device: Row }) {
  const t = useWords()
  const org = useReach()
  const asked = { params: { org, deviceId: device.deviceId } }
  const { data } = useQuery({
    ...query(api.platform.availableTags, asked),
    refetchInterval: 10_000,
  })
  return (
    <Panel title={t('gateway.preset')}>
      <div className={classes.stack}>
        <QuickPreset device={device} announced={data ?? []} main={false} />
      </div>
    </Panel>
  )
}

import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { CopyText } from '@longreach/ui/CopyText'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { DetailPending } from '../../parts/pages/DetailPending.tsx'
import { FailedPage } from '../../parts/pages/FailedPage.tsx'
import { useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { withWords } from '../../parts/words/spoken-words.ts'
import { DeleteGroupDialog } from './DeleteGroupDialog.tsx'
import { Breadcrumb } from '../../parts/pages/Breadcrumb.tsx'
import classes from './device-groups.module.css'
import { GroupEditor } from './GroupEditor.tsx'
import { GroupNameDialog } from './GroupNameDialog.tsx'
import { GroupSight } from './GroupSight.tsx'
import { GroupType, useGroupName } from './GroupType.tsx'
import { useGroup } from './group-calls.ts'

const ShelveButton = late(
  () => withWords(import('../../parts/alarms/ShelveButton.tsx'), 'alarm-shelves'),
  'ShelveButton',
)

/** One device group: who and what is in it, and who sees what through it. */
export function Component() {
  const t = useWords()
  const may = useMay()
  const nameOf = useGroupName()
  const [search, change] = useSearch()
  const { groupId = '' }: { groupId?: string } = useParams({ strict: false })
  const { group, entries, error, ready } = useGroup(groupId)
  if (error) return <FailedPage kind="group" error={error} />
  if (!group || !ready)
    return <DetailPending to="/devices/groups" section="device-groups" shape={{ tabs: 2 }} />
  const tab = one(search['tab']) === 'sight' && may('users:read') ? 'sight' : 'members'
  return (
    <Page>
      <PageHeader
        title={nameOf(group)}
        beside={<GroupType type={group.type} />}
        trail={<Breadcrumb to="/devices/groups" section="device-groups" />}
        help={
          <>
            {t('device-groups.id')}{' '}
            <CopyText text={String(group.id)} label={t('device-groups.id')} />
          </>
        }
        actions={<GroupActions group={group} />}
      />
      <Tabs
        value={tab}
        onChange={(next) => void change({ tab: next === 'sight' ? 'sight' : undefined })}
        keepMounted={false}
        className={classes.tabs}
      >
        <Tabs.List>
          <Tabs.Tab value="members">{t('device-groups.members')}</Tabs.Tab>
          {may('users:read') && <Tabs.Tab value="sight">{t('device-groups.sight')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.tab}>
          {tab === 'members' ? (
            <GroupEditor key={groupId} group={group} entries={entries} />
          ) : (
            <GroupSight policy={groupId} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

type Props = { group: { id: number } & Parameters<ReturnType<typeof useGroupName>>[0] }

function GroupActions({ group }: Props) {
  const t = useWords()
  const may = useMay()
  const nameOf = useGroupName()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'rename' | 'delete'>()
  const close = () => setDialog(undefined)
  const button = (name: 'rename' | 'delete', label: string, allowed: boolean) => {
    const kept = group.type === 'STANDARD' ? undefined : t('device-groups.keptByProduct')
    const reason = kept ?? (allowed ? undefined : t('device-groups.mayNotChange'))
    return (
      <ActionButton reason={reason} variant="default" onClick={() => setDialog(name)}>
        {label}
      </ActionButton>
    )
  }
  return (
    <>
      <ShelveButton about={{ type: 'group', id: String(group.id), name: nameOf(group) }} />
      {button('rename', t('device-groups.rename'), may('devicegroups:update'))}
      {button('delete', t('device-groups.delete'), may('devicegroups:delete'))}
      {dialog === 'rename' && <GroupNameDialog group={group} onClose={close} />}
      {dialog === 'delete' && (
        <DeleteGroupDialog
          group={group}
          onClose={close}
          onDeleted={() => void navigate({ to: '/devices/groups' })}
        />
      )}
    </>
  )
}

import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PanelPending } from '../../parts/pages/ContentPending.tsx'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { GroupForm } from './GroupForm.tsx'
import { GroupMembers } from './GroupMembers.tsx'
import { type Group, peopleChanged, useOrg } from './people-calls.ts'
import classes from './permission.module.css'

type Props = { group: string; onClose: () => void }

/** A group beside the list: what it carries, and its members with their part in it. */
export function GroupPanel({ group, onClose }: Props) {
  const t = useWords()
  const org = useOrg()
  const may = useMay()
  const { data, error, refetch } = useQuery(query(api.core.userGroup, { params: { org, group } }))
  const [deleting, setDeleting] = useState(false)
  if (!data)
    return (
      <PanelPending
        title={t('permission.group')}
        onClose={onClose}
        kind="userGroup"
        {...{ error, refetch }}
      />
    )
  return (
    <SidePanel
      title={data.name}
      facts={t('permission.memberCount', { count: data.memberCount })}
      actions={
        may('usergroups:delete') && (
          <Button variant="default" onClick={() => setDeleting(true)}>
            {t('permission.deleteGroup')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <PanelSection title={t('permission.carries')}>
        <GroupForm key={data.name} group={data} />
      </PanelSection>
      <PanelSection title={t('permission.members')}>
        <GroupMembers group={data} />
      </PanelSection>
      {deleting && (
        <DeleteDialog group={data} onClose={() => setDeleting(false)} onGone={onClose} />
      )}
    </SidePanel>
  )
}

type DeleteProps = { group: Group; onClose: () => void; onGone: () => void }

function DeleteDialog({ group, onClose, onGone }: DeleteProps) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useOrg()
  const remove = useMutation({
    mutationFn: () => api.core.deleteUserGroup({ params: { org, group: group.id } }),
    onSuccess: () => {
      onGone()
      return peopleChanged()
    },
  })
  return (
    <ConfirmDialog
      title={t('permission.deleteGroupTitle', { name: group.name })}
      verb={t('permission.deleteGroup')}
      danger
      typed={group.name}
      pending={remove.isPending}
      error={remove.error ? errorText(remove.error).message : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p className={classes.text}>
        {t('permission.deleteGroupText', { count: group.memberCount })}
      </p>
    </ConfirmDialog>
  )
}

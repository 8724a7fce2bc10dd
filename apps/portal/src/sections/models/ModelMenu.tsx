import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Menu } from '@mantine/core'
import { IconCopy, IconDots, IconDownload, IconShare, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { type Model, modelsChanged } from './model-calls.ts'
import { download } from './model-file.ts'

type Props = { model: Model; onDeleted: () => void }

/** Menu of the actions on a whole model. */
export function ModelMenu({ model, onDeleted }: Props) {
  const t = useWords()
  const may = useMay()
  const navigate = useNavigate()
  const isOwn = useSession().organization.resourceId === model.orgResourceId
  const [deleting, setDeleting] = useState(false)
  const share = useSharing(model)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('models.more')}>
            <IconDots size={16} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconDownload size={15} />} onClick={() => download(model)}>
            {t('models.export')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy size={15} />}
            disabled={!may('models:create')}
            onClick={() => void navigate({ to: '/models/new', search: { from: model.id } })}
          >
            {t('models.copy')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconShare size={15} />}
            disabled={!isOwn || !may('models:update')}
            onClick={() => share.mutate(!model.subOrgsEnabledToView)}
          >
            {t(model.subOrgsEnabledToView ? 'models.unshare' : 'models.share')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={15} />}
            disabled={!isOwn || !may('models:delete')}
            onClick={() => setDeleting(true)}
          >
            {t('models.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {deleting && (
        <DeleteModel model={model} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      )}
    </>
  )
}

/** Share all versions or none; what was done can be taken back. */
function useSharing({ name }: Model) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const call = (data: boolean) =>
    api.mappings.shareModelByName({ params: { name }, query: { organization }, body: { data } })
  return useMutation({
    mutationFn: call,
    onSuccess: async ({ data }) => {
      await modelsChanged()
      toast({
        message: t(data ? 'models.isShared' : 'models.isUnshared', { name }),
        action: {
          label: t('models.undo'),
          run: () => void call(!data).then(modelsChanged, fails),
        },
      })
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  function fails(error: unknown) {
    toast({ kind: 'failed', message: errorText(error).message })
  }
}

function DeleteModel({ model, onClose, onDeleted }: Props & { onClose: () => void }) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const remove = useMutation({
    mutationFn: () =>
      api.mappings.deleteModel({
        params: { id: model.id },
        query: { organization, allVersions: true },
      }),
    onSuccess: async () => {
      toast({ message: t('models.deleted', { name: model.name }) })
      onDeleted()
      await modelsChanged()
    },
  })
  return (
    <ConfirmDialog
      title={t('models.deleteTitle', { name: model.name })}
      verb={t('models.delete')}
      danger
      typed={model.name}
      pending={remove.isPending}
      error={remove.error ? errorText(remove.error).message : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t('models.deleteText')}
    </ConfirmDialog>
  )
}

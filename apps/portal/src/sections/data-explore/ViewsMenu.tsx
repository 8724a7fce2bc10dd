import { late } from '@longreach/ui/late'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button, Menu } from '@mantine/core'
import {
  IconBookmark,
  IconDeviceFloppy,
  IconLink,
  IconPencil,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import classes from './ViewsMenu.module.css'
import { useDeleteView, type useOpenView, useShowView, useViews, type View } from './use-views.ts'

const ViewDialog = late(() => import('./ViewDialog.tsx'), 'ViewDialog')

type Props = { open: ReturnType<typeof useOpenView>; canSave: boolean }

/** Saved views: open one, save what is shown, pass it on by a link. */
export function ViewsMenu({ open, canSave }: Props) {
  const t = useWords()
  const toast = useToast()
  const { data: views = [] } = useViews()
  const [dialog, setDialog] = useState<{ view: View | undefined }>()
  const copyLink = async () => {
    const { origin, pathname, href } = globalThis.location
    const short = open.view && !open.changed
    try {
      await navigator.clipboard.writeText(
        short ? `${origin}${pathname}?view=${open.view?.id}` : href,
      )
      toast({ message: t('data-explore.linkCopied') })
    } catch {
      toast({ kind: 'failed', message: t('ui.copyRefused') }) // no permission for the clipboard
    }
  }
  return (
    <>
      <Menu position="bottom-end" width={300} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={15} />}>
            {open.view ? open.view.name : t('data-explore.views')}
            {open.changed && <span aria-hidden>{'\u00a0•'}</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.views}>
          <Menu.Label>
            {views.length === 0 ? t('data-explore.noViews') : t('data-explore.views')}
          </Menu.Label>
          {views.map((view) => (
            <ViewItem key={view.id} view={view} current={view.id === open.view?.id} />
          ))}
          <Menu.Divider />
          {open.view?.mayChange && open.changed && (
            <Menu.Item
              leftSection={<IconDeviceFloppy size={16} />}
              onClick={() => setDialog({ view: open.view })}
            >
              {t('data-explore.saveOver', { name: open.view.name })}
            </Menu.Item>
          )}
          {open.view?.mayChange && !open.changed && (
            <Menu.Item
              leftSection={<IconPencil size={16} />}
              onClick={() => setDialog({ view: open.view })}
            >
              {t('data-explore.editView')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconDeviceFloppy size={16} />}
            disabled={!canSave}
            onClick={() => setDialog({ view: undefined })}
          >
            {t('data-explore.saveAs')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyLink()}>
            {t('data-explore.copyLink')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog && <ViewDialog view={dialog.view} onClose={() => setDialog(undefined)} />}
    </>
  )
}

function ViewItem({ view, current }: { view: View; current: boolean }) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const show = useShowView()
  const remove = useDeleteView()
  const onDelete = () =>
    remove.mutate(view, {
      onSuccess: ({ restore }) =>
        toast({
          message: t('data-explore.viewDeleted', { name: view.name }),
          action: { label: t('data-explore.undo'), run: () => void restore() },
        }),
      onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
    })
  return (
    <div role="none" className={classes.viewItem}>
      <Menu.Item
        aria-current={current || undefined}
        leftSection={
          view.shared ? <IconUsers size={15} aria-label={t('data-explore.shared')} /> : null
        }
        onClick={() => void show(view)}
      >
        <span className={classes.viewName}>{view.name}</span>
        <small className={classes.viewText}>
          {[view.description, view.mine ? '' : view.author].filter(Boolean).join(' · ')}
        </small>
      </Menu.Item>
      {view.mayChange && (
        <Menu.Item
          className={classes.viewDelete}
          aria-label={t('data-explore.deleteView', { name: view.name })}
          onClick={onDelete}
        >
          <IconTrash size={15} />
        </Menu.Item>
      )}
    </div>
  )
}

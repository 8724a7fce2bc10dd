import { Anchor } from '@longreach/ui/Anchor'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Menu } from '@mantine/core'
import { IconDeviceFloppy, IconLink, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useDeleteView, type useOpenView, useShowView, useViews, type View } from './use-views.ts'
import classes from './ViewsList.module.css'

type Props = {
  id: string
  open: ReturnType<typeof useOpenView>
  canSave: boolean
  opened: boolean
  /** Button below which the list is shown. */
  button: RefObject<HTMLButtonElement | null>
  onOpened: (opened: boolean) => void
  /** Saves what is shown as this view, or as a new one. */
  onSave: (view: View | undefined) => void
}

/** List of the `ViewsMenu`; it loads when it is opened. */
export function ViewsList({ id, open, canSave, opened, button, onOpened, onSave }: Props) {
  const t = useWords()
  const toast = useToast()
  const { data: views = [] } = useViews()
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
    <Menu
      id={id}
      opened={opened}
      onChange={onOpened}
      position="bottom-end"
      width={300}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Anchor to={button} />
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
          <Menu.Item leftSection={<IconDeviceFloppy size={16} />} onClick={() => onSave(open.view)}>
            {t('data-explore.saveOver', { name: open.view.name })}
          </Menu.Item>
        )}
        {open.view?.mayChange && !open.changed && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onSave(open.view)}>
            {t('data-explore.editView')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconDeviceFloppy size={16} />}
          disabled={!canSave}
          onClick={() => onSave(undefined)}
        >
          {t('data-explore.saveAs')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyLink()}>
          {t('data-explore.copyLink')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
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

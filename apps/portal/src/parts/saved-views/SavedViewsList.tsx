import { Anchor } from '@longreach/ui/Anchor'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Menu } from '@mantine/core'
import {
  IconDeviceFloppy,
  IconLink,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import type { RefObject } from 'react'
import { useErrorText } from '../words/error-text.ts'
import type { SavedView, SavedViews } from './saved-views.ts'
import classes from './SavedViews.module.css'

type Props = {
  id: string
  views: SavedViews
  opened: boolean
  /** Button below which the list is shown. */
  button: RefObject<HTMLButtonElement | null>
  onOpened: (opened: boolean) => void
  /** Saves what is shown as this view, or as a new one. */
  onSave: (view: SavedView | undefined) => void
}

const icon = { size: 16 } as const

/** List of the saved views of a page, and what can be done with the open one; it loads when it is opened. */
export function SavedViewsList({ id, views, opened, button, onOpened, onSave }: Props) {
  const t = useWords()
  const { open, isChanged, plain } = views
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
          {t(views.views.length === 0 ? 'saved-views.none' : 'saved-views.views')}
        </Menu.Label>
        {plain && <Menu.Item onClick={plain.show}>{plain.name}</Menu.Item>}
        {views.views.map((view) => (
          <ViewRow key={view.id} views={views} view={view} />
        ))}
        <Menu.Divider />
        {open?.mayChange && (
          <Menu.Item
            leftSection={isChanged ? <IconDeviceFloppy {...icon} /> : <IconPencil {...icon} />}
            onClick={() => onSave(open)}
          >
            {isChanged ? t('saved-views.saveOver', { name: open.name }) : t('saved-views.edit')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconDeviceFloppy {...icon} />}
          disabled={!views.canSave}
          onClick={() => onSave(undefined)}
        >
          {t('saved-views.saveAs')}
        </Menu.Item>
        {open && views.first && <FirstItem first={views.first} view={open} />}
        <LinkItem open={isChanged ? undefined : open} />
      </Menu.Dropdown>
    </Menu>
  )
}

type FirstProps = { first: NonNullable<Props['views']['first']>; view: SavedView }

function FirstItem({ first, view }: FirstProps) {
  const t = useWords()
  const failed = useToastFailed()
  const isFirst = view.isDefault === true
  return (
    <Menu.Item
      leftSection={isFirst ? <IconPinnedOff {...icon} /> : <IconPin {...icon} />}
      onClick={() => void first.set(isFirst ? undefined : view).catch(failed)}
    >
      {isFirst ? first.drop : t('saved-views.setDefault')}
    </Menu.Item>
  )
}

/** Copies the link of the open view, or of what is shown. */
function LinkItem({ open }: { open: SavedView | undefined }) {
  const t = useWords()
  const toast = useToast()
  const copy = async () => {
    const { origin, pathname, href } = globalThis.location
    try {
      await navigator.clipboard.writeText(open ? `${origin}${pathname}?view=${open.id}` : href)
      toast({ message: t('saved-views.copied') })
    } catch {
      toast({ kind: 'failed', message: t('ui.copyRefused') }) // no permission for the clipboard
    }
  }
  return (
    <Menu.Item leftSection={<IconLink {...icon} />} onClick={() => void copy()}>
      {t('saved-views.copyLink')}
    </Menu.Item>
  )
}

function ViewRow({ views, view }: { views: SavedViews; view: SavedView }) {
  const t = useWords()
  const toast = useToast()
  const failed = useToastFailed()
  const onDelete = async () => {
    try {
      const restore = await views.remove(view)
      toast({
        message: t('saved-views.deleted', { name: view.name }),
        action: { label: t('saved-views.undo'), run: () => void restore().catch(failed) },
      })
    } catch (error) {
      failed(error)
    }
  }
  return (
    <div role="none" className={classes.view}>
      <Menu.Item
        aria-current={view.id === views.open?.id || undefined}
        leftSection={
          view.shared ? <IconUsers size={15} aria-label={t('saved-views.shared')} /> : null
        }
        onClick={() => views.show(view)}
      >
        <span className={classes.name}>{view.name}</span>
        <small className={classes.text}>
          {[view.isDefault && t('saved-views.default'), view.description, !view.mine && view.author]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </Menu.Item>
      {view.mayChange && (
        <Menu.Item
          className={classes.delete}
          aria-label={t('saved-views.delete', { name: view.name })}
          onClick={() => void onDelete()}
        >
          <IconTrash size={15} />
        </Menu.Item>
      )}
    </div>
  )
}

function useToastFailed() {
  const toast = useToast()
  const errorText = useErrorText()
  return (error: unknown) => toast({ kind: 'failed', message: errorText(error).message })
}

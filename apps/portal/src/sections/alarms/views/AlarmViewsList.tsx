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
import { useErrorText } from '../../../parts/words/error-text.ts'
import {
  type AlarmView,
  useAlarmViews,
  useDeleteAlarmView,
  type useOpenAlarmView,
  useSetDefaultView,
  useShowAlarmView,
} from './alarm-views.ts'
import classes from './AlarmViewsList.module.css'

type Props = {
  id: string
  open: ReturnType<typeof useOpenAlarmView>
  opened: boolean
  /** Button below which the list is shown. */
  button: RefObject<HTMLButtonElement | null>
  onOpened: (opened: boolean) => void
  /** Saves what is shown as this view, or as a new one. */
  onSave: (view: AlarmView | undefined) => void
}

const icon = { size: 16 } as const

/** List of the saved views of alarms, and what can be done with the open one. */
export function AlarmViewsList({ id, open, opened, button, onOpened, onSave }: Props) {
  const t = useWords()
  const views = useAlarmViews() ?? []
  const show = useShowAlarmView()
  const { view, isChanged } = open
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
        <Menu.Label>{t(views.length === 0 ? 'alarm-views.none' : 'alarm-views.views')}</Menu.Label>
        <Menu.Item onClick={() => show(undefined)}>{t('alarm-views.all')}</Menu.Item>
        {views.map((each) => (
          <ViewRow key={each.id} view={each} isOpen={each.id === view?.id} />
        ))}
        <Menu.Divider />
        {view?.mayChange && (
          <Menu.Item
            leftSection={isChanged ? <IconDeviceFloppy {...icon} /> : <IconPencil {...icon} />}
            onClick={() => onSave(view)}
          >
            {isChanged ? t('alarm-views.saveOver', { name: view.name }) : t('alarm-views.edit')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconDeviceFloppy {...icon} />} onClick={() => onSave(undefined)}>
          {t('alarm-views.saveAs')}
        </Menu.Item>
        {view && <DefaultItem view={view} />}
        <LinkItem open={open} />
      </Menu.Dropdown>
    </Menu>
  )
}

function DefaultItem({ view: { id, isDefault } }: { view: AlarmView }) {
  const t = useWords()
  const failed = useToastFailed()
  const set = useSetDefaultView()
  return (
    <Menu.Item
      leftSection={isDefault ? <IconPinnedOff {...icon} /> : <IconPin {...icon} />}
      onClick={() => set.mutate(isDefault ? null : id, { onError: failed })}
    >
      {t(isDefault ? 'alarm-views.dropDefault' : 'alarm-views.setDefault')}
    </Menu.Item>
  )
}

function LinkItem({ open: { view, isChanged } }: Pick<Props, 'open'>) {
  const t = useWords()
  const toast = useToast()
  const copy = async () => {
    const { origin, pathname, href } = globalThis.location
    const link = view && !isChanged ? `${origin}${pathname}?view=${view.id}` : href
    try {
      await navigator.clipboard.writeText(link)
      toast({ message: t('alarm-views.copied') })
    } catch {
      toast({ kind: 'failed', message: t('ui.copyRefused') }) // no permission for the clipboard
    }
  }
  return (
    <Menu.Item leftSection={<IconLink {...icon} />} onClick={() => void copy()}>
      {t('alarm-views.copyLink')}
    </Menu.Item>
  )
}

function ViewRow({ view, isOpen }: { view: AlarmView; isOpen: boolean }) {
  const t = useWords()
  const toast = useToast()
  const failed = useToastFailed()
  const show = useShowAlarmView()
  const remove = useDeleteAlarmView()
  const onDelete = () =>
    remove.mutate(view, {
      onSuccess: (restore) =>
        toast({
          message: t('alarm-views.deleted', { name: view.name }),
          action: { label: t('alarm-views.undo'), run: () => void restore() },
        }),
      onError: failed,
    })
  return (
    <div role="none" className={classes.view}>
      <Menu.Item
        aria-current={isOpen || undefined}
        leftSection={
          view.shared ? <IconUsers size={15} aria-label={t('alarm-views.shared')} /> : null
        }
        onClick={() => show(view)}
      >
        <span className={classes.name}>{view.name}</span>
        <small className={classes.text}>
          {[view.isDefault && t('alarm-views.default'), !view.mine && view.author]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </Menu.Item>
      {view.mayChange && (
        <Menu.Item
          className={classes.delete}
          aria-label={t('alarm-views.delete', { name: view.name })}
          onClick={onDelete}
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

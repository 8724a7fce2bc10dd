import { ActionButton } from '@longreach/ui/ActionButton'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconDots,
  IconDownload,
  IconFileImport,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { saveFile } from '../../parts/tables/save-file.ts'
import { readPreset } from './import-rules.ts'
import type { Editor } from './use-editor.ts'

/** Undo, redo, files, and saving. */
export function EditorActions({ editor, onSave }: { editor: Editor; onSave: () => void }) {
  const t = useWords()
  const { undo, dirty, locked, draft, preset } = editor
  const reason = locked
    ? t('presets.locked')
    : draft.name.trim() === ''
      ? t('presets.needsName')
      : dirty || !preset
        ? undefined
        : t('presets.nothingChanged')
  return (
    <>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={t('presets.undo')}
        disabled={!undo.canUndo}
        onClick={undo.undo}
      >
        <IconArrowBackUp size={16} stroke={1.6} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={t('presets.redo')}
        disabled={!undo.canRedo}
        onClick={undo.redo}
      >
        <IconArrowForwardUp size={16} stroke={1.6} />
      </ActionIcon>
      <Files editor={editor} />
      <ActionButton
        reason={reason}

        onClick={() => onSave()}
      >
        {t('presets.save')}
      </ActionButton>
    </>
  )
}

function Files({ editor }: { editor: Editor }) {
  const t = useWords()
  const toast = useToast()
  const file = useRef<HTMLInputElement>(null)
  const { draft, model, locked, undo } = editor
  const load = async (chosen: File | undefined) => {
    if (!chosen) return
    const read = readPreset(await chosen.text(), model)
    if (read.ok) undo.change({ name: draft.name || read.name, data: read.data })
    else toast({ kind: 'failed', message: t(`presets.import.${read.why}`) })
  }
  const content = () => JSON.stringify({ name: draft.name, data: draft.data }, null, 2)
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('presets.more')}>
            <IconDots size={16} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconDownload size={16} stroke={1.6} />}
            onClick={() =>
              saveFile(`${draft.name || 'preset'}.json`, [content()], 'application/json')
            }
          >
            {t('presets.export')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconFileImport size={16} stroke={1.6} />}
            disabled={locked}
            onClick={() => file.current?.click()}
          >
            {t('presets.import')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t('presets.import')}
        onChange={(event) => {
          void load(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

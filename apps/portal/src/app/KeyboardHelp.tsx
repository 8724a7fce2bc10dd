import { Kbd, Modal } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { mayEnter } from '../lib/access-rules.ts'
import { useSession } from '../lib/session.ts'
import { sections } from '../sections.ts'
import classes from './KeyboardHelp.module.css'

const everywhere = [
  { id: 'palette', keys: ['Ctrl', 'K'] },
  { id: 'menu', keys: ['Ctrl', 'B'] },
  { id: 'filter', keys: ['/'] },
  { id: 'keys', keys: ['?'] },
  { id: 'close', keys: ['Esc'] },
  { id: 'featuresOn', keys: ['Ctrl', 'Alt', 'Shift', 'E'] },
  { id: 'featuresOff', keys: ['Ctrl', 'Alt', 'Shift', 'D'] },
  { id: 'features', keys: ['Ctrl', 'Alt', 'Shift', 'S'] },
] as const

const inTables = [
  { id: 'move', keys: ['↑', '↓'] },
  { id: 'pages', keys: ['Page ↑', 'Page ↓'] },
  { id: 'select', keys: ['Space'] },
  { id: 'range', keys: ['Shift', 'Space'] },
  { id: 'open', keys: ['↵'] },
] as const

/** Every key that means something, by where it does. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const session = useSession()
  const jumps = sections.filter(
    (section) => section.key !== undefined && mayEnter(section, session),
  )
  return (
    <Modal
      opened
      onClose={onClose}
      size={720}
      title={t('shell.help.title')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <div className={classes.columns}>
        <Keys
          title={t('shell.help.everywhere')}
          rows={everywhere.map(({ id, keys }) => ({ keys, text: t(`shell.help.${id}`) }))}
        />
        <Keys
          title={t('shell.help.tables')}
          rows={inTables.map(({ id, keys }) => ({ keys, text: t(`shell.help.${id}`) }))}
        />
        {jumps.length > 0 && (
          <Keys
            title={t('shell.help.jumps')}
            rows={jumps.map(({ id, key = '' }) => ({
              keys: ['g', key],
              text: t(`shell.section.${id}`),
            }))}
          />
        )}
      </div>
    </Modal>
  )
}

type KeysProps = { title: string; rows: readonly { keys: readonly string[]; text: string }[] }

function Keys({ title, rows }: KeysProps) {
  return (
    <section>
      <h2 className={classes.title}>{title}</h2>
      <dl className={classes.list}>
        {rows.map(({ keys, text }) => (
          <div key={text} className={classes.row}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key} size="sm">
                  {key}
                </Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

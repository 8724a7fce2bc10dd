import { Dialog } from '@longreach/ui/Dialog'
import { Kbd } from '@mantine/core'
import { type Translate, useWords } from '@longreach/ui/use-words'
import { mayEnter } from '../../parts/access/access-rules.ts'
import { useSession } from '../../parts/session/session.ts'
import { sections } from '../../sections.ts'
import classes from './KeyboardHelp.module.css'

/** Keys that are called otherwise in other languages. */
const namedKeys = ['ctrl', 'shift', 'space', 'pageUp', 'pageDown', 'esc'] as const

const everywhere = [
  { id: 'palette', keys: ['ctrl', 'K'] },
  { id: 'menu', keys: ['ctrl', 'B'] },
  { id: 'filter', keys: ['/'] },
  { id: 'keys', keys: ['?'] },
  { id: 'close', keys: ['esc'] },
  { id: 'featuresOn', keys: ['ctrl', 'Alt', 'shift', 'E'] },
  { id: 'featuresOff', keys: ['ctrl', 'Alt', 'shift', 'D'] },
  { id: 'features', keys: ['ctrl', 'Alt', 'shift', 'S'] },
] as const

const inTables = [
  { id: 'move', keys: ['↑', '↓'] },
  { id: 'pages', keys: ['pageUp', 'pageDown'] },
  { id: 'select', keys: ['space'] },
  { id: 'range', keys: ['shift', 'space'] },
  { id: 'open', keys: ['↵'] },
] as const

/** Name of a key in the person's language, or the key itself. */
function keyName(t: Translate, key: string) {
  const named = namedKeys.find((one) => one === key)
  return named ? t(`shell.key.${named}`) : key
}

/** List of the keyboard shortcuts, by the place in which they work. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const session = useSession()
  const jumps = sections.filter(
    (section) => section.key !== undefined && mayEnter(section, session),
  )
  return (
    <Dialog onClose={onClose} size={720} title={t('shell.help.title')}>
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
    </Dialog>
  )
}

type KeysProps = { title: string; rows: readonly { keys: readonly string[]; text: string }[] }

function Keys({ title, rows }: KeysProps) {
  const t = useWords()
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
                  {keyName(t, key)}
                </Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { chartColors } from '@longreach/ui/series-colors'
import { useWords } from '@longreach/ui/use-words'
import {
  IconBraces,
  IconFolder,
  IconLetterCase,
  IconNumber123,
  IconStar,
  IconStarFilled,
  IconToggleLeft,
} from '@tabler/icons-react'
import { useState } from 'react'
import { type TagWithValue, useTags } from '../../parts/devices/devices.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { isTraceable, shortPath } from '../../parts/devices/tags.ts'
import { TagValue } from '../../parts/devices/TagValue.tsx'
import shared from './data-explore.module.css'
import tree from './tree.module.css'
import classes from './TreePaths.module.css'
import { type Folder, foldersOf } from './path-folders.ts'
import { TreeBranch, useTree } from './TreeBranch.tsx'
import { useOpened } from './use-opened.ts'

type Props = { device: string; connected: boolean | undefined; level: number }

/** The values of a device in the folders of its model; read when the device is opened. */
export function TreePaths({ device, connected, level }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const { tags, pending, error, retry } = useTags(device, { maxHz: 1 })
  if (pending)
    return (
      <li role="none">
        <RowsSkeleton rows={3} />
      </li>
    )
  if (error)
    return (
      <li role="treeitem" aria-level={level} tabIndex={-1}>
        <ErrorPanel {...errorText(error)} onRetry={retry} />
      </li>
    )
  if (tags.length === 0)
    return (
      <li role="none" className={shared.dim} style={{ paddingLeft: level * 14 }}>
        {t('data-explore.noValues')}
      </li>
    )
  const folder = foldersOf(tags)
  return <FolderItems {...{ folder, device, connected, level, few: tags.length <= 60 }} />
}

type FolderProps = Props & { folder: Folder<TagWithValue>; few: boolean }

function FolderItems({ folder, ...more }: FolderProps) {
  const { device, connected, level } = more
  return (
    <>
      {folder.folders.map((below) => (
        <FolderItem key={below.path} folder={below} {...more} />
      ))}
      {folder.leaves.map((tag) => (
        <PathItem key={tag.path} {...{ tag, device, connected, level }} />
      ))}
    </>
  )
}

function FolderItem({ folder, ...more }: FolderProps) {
  const { lines } = useTree()
  const drawn = lines.some(
    ({ device, path }) =>
      device === more.device && `${shortPath(path)}/`.startsWith(`${folder.path}/`),
  )
  const [openAtFirst] = useState(more.few || drawn)
  const id = `${more.device}/${folder.path}/`
  const [opened, press] = useOpened(id, openAtFirst)
  return (
    <TreeBranch
      id={id}
      level={more.level}
      opened={opened}
      onPress={press}
      row={
        <>
          <IconFolder size={15} stroke={1.6} className={tree.kindIcon} />
          <span className={tree.nodeName}>{folder.label ?? folder.name}</span>
        </>
      }
    >
      <FolderItems folder={folder} {...more} level={more.level + 1} />
    </TreeBranch>
  )
}

const icons: Record<string, typeof IconNumber123> = {
  integer: IconNumber123,
  double: IconNumber123,
  boolean: IconToggleLeft,
  string: IconLetterCase,
}

type PathProps = Props & { tag: TagWithValue; beside?: string }

/** A value with its type, its newest figure and age; pressed, it is drawn or no longer drawn. */
export function PathItem({ tag, device, connected, level, beside }: PathProps) {
  const { lines, onChoose } = useTree()
  const line = lines.find((one) => one.device === device && one.path === tag.path)
  const mark = line && chartColors[line.color]
  const Icon = icons[tag.type] ?? IconBraces
  const name = beside ? tag.name : (tag.name.split(' · ').at(-1) ?? tag.name)
  return (
    <TreeBranch
      id={`${beside ?? ''}${device}/${tag.path}`}
      level={level}
      selected={line !== undefined}
      disabled={!isTraceable(tag)}
      title={[tag.description, shortPath(tag.path)].filter(Boolean).join('\n')}
      drag={`${device}/${tag.path}`}
      onPress={() => onChoose(device, tag.path)}
      row={
        <>
          <i
            className={tree.tick}
            style={mark ? { background: mark, borderColor: mark } : undefined}
          />
          <Icon size={15} stroke={1.6} className={tree.kindIcon} />
          <span className={tree.nodeName}>
            {name}
            {beside && <small>{beside}</small>}
          </span>
          <span className={classes.pathValue}>
            <TagValue tag={tag} live={tag.last} connected={connected} />
            <small>
              <RelativeTime at={tag.last?.at} />
            </small>
          </span>
          <StarButton device={device} path={tag.path} />
        </>
      }
    />
  )
}

function StarButton({ device, path }: { device: string; path: string }) {
  const t = useWords()
  const { isFavourite, toggleFavourite } = useTree()
  const on = isFavourite(device, path)
  const Icon = on ? IconStarFilled : IconStar
  return (
    <button
      type="button"
      data-favourite
      tabIndex={-1}
      className={tree.star}
      aria-pressed={on}
      aria-label={t('data-explore.favourite')}
      onClick={(event) => {
        event.stopPropagation()
        toggleFavourite({ device, path })
      }}
    >
      <Icon size={14} />
    </button>
  )
}

import {
  IconArrowsShuffle,
  IconFolderPlus,
  IconForms,
  IconKey,
  IconPencil,
  IconTemplate,
  IconTrash,
} from '@tabler/icons-react'

/** The sign of what is done to one device, the same in its list and on its page. */
export const deviceActionIcons = {
  edit: IconPencil,
  preset: IconTemplate,
  attribute: IconForms,
  group: IconFolderPlus,
  connect: IconKey,
  move: IconArrowsShuffle,
  delete: IconTrash,
}

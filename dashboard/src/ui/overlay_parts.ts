/** Parts that open something over the page. Their libraries load after the first page. */
export {
  Autocomplete,
  Drawer,
  Menu,
  Modal,
  MultiSelect,
  Popover,
  Select,
  TagsInput,
  Tooltip,
} from "@mantine/core";

/** Parts that open something over the page, or are as large. They load after the first page. */
export {
  Autocomplete,
  defaultOptionsFilter,
  Drawer,
  Menu,
  Modal,
  MultiSelect,
  NumberInput,
  Popover,
  Select,
  TagsInput,
  Tooltip,
} from "@mantine/core";

import { Avatar } from "@mantine/core";
import { customerInitials } from "../../api/customer_name.ts";
import type { Customer } from "../../api/types.ts";

interface CustomerAvatarProps {
  customer: Customer;
  size: number;
  visibleFrom?: "xs";
}

/** The initials of a customer's name or address, or a person if neither is known. */
export function CustomerAvatar({ customer, ...props }: CustomerAvatarProps) {
  const initials = customerInitials(customer);
  return initials === ""
    ? <Avatar {...props} color="gray" alt="" aria-hidden />
    : <Avatar {...props} name={initials} color="initials" alt="" aria-hidden />;
}

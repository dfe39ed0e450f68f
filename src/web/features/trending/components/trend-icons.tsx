import { icon } from "../../../components/ui/icons.tsx";

export const TrendUpIcon = icon(<path d="M16 7h6v6M22 7l-8.5 8.5-5-5L2 17" />);
export const TrendDownIcon = icon(<path d="M16 17h6v-6M22 17l-8.5-8.5-5 5L2 7" />);

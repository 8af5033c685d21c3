"""Vietnamese."""

from __future__ import annotations

from .word_table import Table

TABLE = Table(
    name="Vietnamese",
    code="vi",
    shown_by="là|đáp|án|kết|quả|câu|trả|lời|đúng|vậy|tôi|chọn|không|của|có|được|và|cho|vì|do|đó|số|còn|lại|tổng|cộng|phương|nghĩ|suy|ra|như|những|một|hai|ba|bốn|xác|suất|này",
    decimal=",",
    answer="số cần tìm|đáp án của bài toán này|đáp án của bài toán|đáp án|đáp án cuối cùng|câu trả lời|kết quả|kết quả cuối cùng|đáp số|lời giải|answer|final answer",
    options="phương án|lựa chọn|ý|câu|bài toán|bài|câu hỏi",
    right="đúng|chính xác|đúng nhất",
    is_="bằng với|tức là|nghĩa là|đúng bằng|sẽ bằng|ra|chính bằng|tương đương|tương ứng với|là|bằng|sẽ là|chính là|được",
    choose="chọn đáp án|chọn phương án|em xin chọn|tôi sẽ chọn|tôi khoanh|mình nghĩ là|tôi chọn|ta chọn|mình chọn|em chọn|chúng ta chọn|lựa chọn của tôi là|chọn",
    fill="phép tính|phép tính này|phép tính cho|phép cộng|phép nhân|điều đó|điều này|cái đó|duy nhất|phương án duy nhất|cuối năm|mỗi|trung bình|sau đó|lúc này|như sau|hợp lệ|phù hợp|thỏa mãn|sau khi kiểm tra|đều|tổng|tích|hiệu|thương|trung bình|diện tích|chu vi|thể tích|tổng số tiền|giá trị của x|giá trị|chiều cao|chiều dài|vậy ta có|ta có|kết quả cộng lại|theo tôi|theo ý tôi|theo em|theo tính toán|chắc chắn|chắc chắn rằng|không nghi ngờ gì|không còn nghi ngờ gì nữa|rõ ràng|rõ ràng là|dĩ nhiên|hiển nhiên|bằng phương pháp loại trừ|bằng cách loại trừ|qua đó|từ đó|từ đó suy ra|nên ta có|kết luận lại|nói tóm lại|tôi kết luận rằng|tôi kết luận|tôi khẳng định rằng|tôi khẳng định|có thể thấy|ta thấy|ta thấy rằng|điều này có nghĩa là|mỗi|các|với|cây|khoảng cách|tuổi|vận tốc|thời gian|số|gam|lít|người|năm nay|ngày|bạn ấy|anh ấy|cô ấy|hôm nay|em|mình|chúng tôi|họ|giá trị|hai giá trị|vậy|vì vậy|vì thế|do đó|do vậy|như vậy|suy ra|tóm lại|cuối cùng|tổng cộng|tổng|tất cả|của|tôi|chúng ta|ta|thì|đó|này|rằng|tôi nghĩ|tôi nghĩ rằng|tôi tin rằng"
    "|tôi tin|tôi cho rằng|tôi chắc chắn rằng|tôi chắc chắn|ta có thể kết luận rằng|có thể kết luận rằng|ta kết luận|kết luận|nên|và|ở|trong|số tiền|xác suất|khoảng"
    "|đã|sẽ|cần tìm|cho|nhé|ạ|thấy",
    opening="sau khi|bằng cách|cộng|trừ đi|nhân|chia|sử dụng|áp dụng|thay|rút gọn|giải|theo công thức|dựa vào|từ phương trình|để giải|khi đó",
    verbs="thu được tất cả|kéo dài|tốn hết|đạt được|đạt|gom được|trồng được|nấu được|nhận|được nhận|để dành được|dành dụm được|chia được|mất|tốn|đọc|viết|chạy|cân nặng|có tất cả|có được|dùng|sử dụng|làm được|sản xuất|bán được|mua được|thu về|tham gia|gồm|bao gồm|chứa|sống|đi|trả lại|phải trả|cần có|còn lại là|ta tính được|tính được|thu được|nhận được tất cả|còn lại|còn|có|đi được|chi|mua|bán|trả|nhận|nhận được|kiếm được|cần|nặng|dài|mất|ta được|thu được|ta có|được tất cả|giá|ăn|tiết kiệm|tiết kiệm được",
    reckoned="tính ra|ra được|tìm ra|tính được|viết|ghi",
    denied="cái bẫy|bẫy|đánh lừa|nhầm|đã nhầm|không đúng|bác bỏ|không hợp lệ|không phải đáp án|lầm|không chính xác|không|không phải|không phải là|chẳng|chưa|sai|sai lầm|nhầm lẫn|loại|loại bỏ|ta loại|trừ|ngoại trừ|vô lý|không thể|không ai|không có|không đúng",
    doubted="muốn là|muốn nó là|tạm thời|tạm cho là|biết đâu|không chừng|nhỡ đâu|ước gì|mong|hy vọng|ước|tôi đoán|mơ|trông như|nhìn qua|nhìn thoáng qua|trực giác|linh cảm|cảm tính|đoán mò|áng chừng|ước chừng|phỏng chừng|nhớ mang máng|thoạt nhìn|không chắc|tôi không chắc|phân vân|tôi phân vân|khả năng|có khả năng|lẽ ra|đáng lẽ|sẽ là nếu|có lẽ|có thể|có thể là|nghi ngờ|tôi nghi ngờ|chắc|chắc là|hình như|dường như|không biết|không chắc|không nghĩ|e rằng|có vẻ",
    offered="hoặc|hoặc là|hay|hay là|hoặc có lẽ|giữa",
    supposed="quên|bỏ quên|sơ ý|lỡ tay|tính nhầm|do sơ suất|nếu|giả sử|giả sử như|trong trường hợp|cho rằng nếu|khi",
    reported="khăng khăng|quả quyết|hét|la lên|hô|thề|đánh cược|cá rằng|tin đồn|báo viết|đồn|nghe nói|nghe đồn|anh họ|chị họ|em họ|bất cẩn|vội vàng|cẩu thả|hấp tấp|các bạn khác|bạn cùng lớp|anh tôi|chị tôi|em tôi|bố tôi|mẹ tôi|ai nói|ai|người ta|mọi người|thầy|cô giáo|bạn tôi|sách|cho rằng|tưởng|tưởng rằng|đoán|đoán rằng|nói|nói rằng|theo|cho biết|khẳng định|đã chọn|trả lời rằng|nhiều người|một số người|bảo|bảo rằng|nghĩ rằng|ban đầu|lúc đầu",
    bounded="vượt quá|vượt|xấp xỉ|gần đến|không quá|không dưới|phần của|bình phương của|căn của|nghịch đảo của|số đối của|chưa đến|ít nhất|nhiều nhất|tối thiểu|tối đa|hơn|lớn hơn|nhỏ hơn|ít hơn|nhiều hơn|gần|gần bằng|gấp|gấp đôi|gấp ba|một nửa|nửa|trên|dưới|đến|bội|lần|trở lên|trở xuống|nằm giữa|chưa tới",
    asked="có phải|có phải là|phải không|à|bao nhiêu|gì|nào|mấy",
    instead="mà là|mà phải là",
    turns="nhưng|tuy nhiên|song|mặc dù",
    because="vì|bởi vì|do|bởi",
    retracting="xin lỗi, không phải|thực ra|kiểm tra lại|tính lại|à nhầm|nhầm rồi|xin lỗi|tôi nhầm|tôi đã nhầm|không, khoan đã|khoan đã|khoan|đính chính|sửa lại|à không",
    numbers="một=1|mốt=1|hai=2|ba=3|bốn=4|tư=4|năm=5|lăm=5|sáu=6|bảy=7|tám=8|chín=9|mười=10|mươi=*10|trăm=*100|nghìn=*1000|ngàn=*1000|triệu=*1000000|tỷ=*1000000000|tỉ=*1000000000",
    joining="linh|lẻ",
    minus="âm|trừ",
    over="phần",
    units="đồng=₫|đô la=$|km=km|m=m|cm=cm|kg=kg|giờ=h|phút=min|%=%|độ=°",
    clock=(r"(?P<h>\d{1,2}) giờ(?: (?P<m>\d{1,2}) phút| (?P<half>rưỡi))?(?P<pm> (?:chiều|tối))?(?!\w)",),
    refusals="xin lỗi, nhưng tôi không thể|xin lỗi, tôi không thể|tôi không thể giúp|tôi từ chối|tôi không thể cung cấp",
)
